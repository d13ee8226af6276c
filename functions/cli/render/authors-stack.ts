const frame = /^\s+at /;
/** Node's own code, and in a bundle's source map the rooms of fireledger in which a job runs. */
const notTheAuthors = /[( ]node:|\/functions\/(?:domain|handlers|runtime|store)\//;

/**
 * What of an error's stack its author can mend: without the lines of Node.js and of fireledger, such as they are all where
 * a run was canceled over something that heeded its signal. Empty when no other line is left.
 */
export function authorsStack(stack: string): string {
  const lines = stack.split('\n').filter((line) => !(frame.test(line) && notTheAuthors.test(line)));
  return lines.some((line) => frame.test(line)) ? lines.join('\n') : '';
}
