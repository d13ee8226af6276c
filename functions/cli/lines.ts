/** The lines of a stream, each as soon as it is complete. Nothing but a line feed ends one: JSON may hold every other. */
export async function* linesOf(input: NodeJS.ReadableStream): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun = '';
  for await (const chunk of input) {
    const lines = (
      begun + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))
    ).split('\n');
    begun = lines.pop() ?? '';
    yield* lines;
  }
  if (begun !== '') yield begun;
}
