import { useState } from 'preact/hooks';

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];
const kept = 'fireledger-theme';

/** As the system has it, or as the person wants it. */
export function ThemeToggle() {
  const [theme, setTheme] = useState<Theme>(() => apply(chosen(localStorage.getItem(kept))));
  return (
    <label>
      <span class="hidden">Theme</span>
      <select
        value={theme}
        onChange={({ currentTarget: { value } }) => {
          localStorage.setItem(kept, value);
          setTheme(apply(chosen(value)));
        }}
      >
        {themes.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}

function chosen(text: string | null): Theme {
  return themes.find((theme) => theme === text) ?? 'system';
}

function apply(theme: Theme): Theme {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  return theme;
}
