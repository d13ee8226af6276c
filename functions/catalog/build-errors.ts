import type { BuildFailure, Message } from 'esbuild';

/** What esbuild rejects with when the fault is in the code that it was given. */
export function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors);
}

const topLevelAwait =
  'top-level await is not allowed in a job: its bundle is CommonJS, and every cold start would wait; await inside run()';

/** `billing/invoices.ts:3:7: Expected ";" but found "x"` */
export function describeMessage({ text, location }: Pick<Message, 'text' | 'location'>): string {
  const what = text.startsWith('Top-level await') ? topLevelAwait : text;
  return location === null ? what : `${location.file}:${location.line}:${location.column + 1}: ${what}`;
}
