import type { LedgerAnswer } from '../../data.ts';
import { Bounded } from '../parts/bounded.tsx';
import { Headings } from '../parts/headings.tsx';
import { Moment } from '../parts/moment.tsx';
import { jobRoute, runRoute } from '../router.ts';

const shown = 50;

/** The log of actions: who did what to which job or run, and why. */
export function LedgerActions({ actions }: Pick<LedgerAnswer, 'actions'>) {
  if (actions.length === 0) return <p class="faint">Nothing in this time.</p>;
  return (
    <Bounded items={actions} most={shown}>
      {(some) => (
        <table class="actions stacks">
          <Headings of={['When', 'Who', 'Did', 'To what, and why']} />
          <tbody>
            {some.map(({ at, by, verb, target, note }) => (
              <tr key={`${at} ${verb} ${target}`}>
                <td>
                  <Moment at={at} />
                </td>
                <td>{by}</td>
                <td>{verb}</td>
                <td class="wide">
                  <Target of={target} />
                  {note === null ? null : <small>{note}</small>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Bounded>
  );
}

/** A job, or a run of one; empty: the stage as a whole. */
function Target({ of }: { readonly of: string }) {
  if (of === '') return <>the stage</>;
  return <a href={of.includes('#') ? runRoute(of) : jobRoute(of)}>{of}</a>;
}
