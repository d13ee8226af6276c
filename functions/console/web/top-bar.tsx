import { places } from './places.ts';
import { session } from './session.ts';
import { ThemeToggle } from './theme-toggle.tsx';

interface TopBarProps {
  /** Which view is shown. */
  readonly view: string;
  readonly help: () => void;
}

/** Which ledger this is, and where one can go. A deployed stage is not to be taken for this machine. */
export function TopBar({ view, help }: TopBarProps) {
  const { stage, place } = session();
  return (
    <header class={stage === null ? '' : 'deployed'}>
      {stage === null ? null : (
        <p class="stage">
          <strong>{stage}</strong> <span>a deployed stage: what you press is done there</span>
        </p>
      )}
      <div class="bar">
        <strong>fireledger</strong>
        <nav aria-label="Views">
          {places.map(({ view: one, name, key }) => (
            <a
              key={one}
              href={`#/${one}`}
              title={`g, then ${key}`}
              {...(view === one && { 'aria-current': 'page' as const })}
            >
              {name}
            </a>
          ))}
        </nav>
        <span class="place" title={place}>
          {place}
        </span>
        <button type="button" class="quiet" title="Keys (?)" onClick={help}>
          ?<span class="hidden"> Keys</span>
        </button>
        <ThemeToggle />
      </div>
    </header>
  );
}
