/** So many requests are under way at once: a stage has hundreds of jobs, and the ledger serves others meanwhile. */
const mostAtOnce = 16;

/** Does the same for each item, a few at a time; the answers are in the items' order. */
export async function inParallel<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  const left = items.entries();
  const worker = async () => {
    for (const [index, item] of left) answers[index] = await act(item);
  };
  await Promise.all(Array.from({ length: Math.min(mostAtOnce, items.length) }, worker));
  return answers;
}
