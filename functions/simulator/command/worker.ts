import type { Case, Simulate } from './case.ts';
import type { Answer } from './workers.ts';

/** A process that simulates one case after the other, by the module that it is told to. */
const [, , module = ''] = process.argv;
const { simulate } = (await import(module)) as { readonly simulate: Simulate };

process.on('message', (one: Case) => {
  void simulate(one).then(
    (simulated) => answer({ simulated }),
    (error: unknown) =>
      answer({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});
// Whoever started it is gone.
process.on('disconnect', () => process.exit());

function answer(message: Answer): void {
  process.send?.(message);
}
