import { wrapped } from './wrapped.ts';

/** Help as wide as the terminal: paragraphs are broken anew; what is indented stays whole, as people copy it. */
export function helpText(text: string, width: number): string {
  const lines: string[] = [];
  let paragraph: string[] = [];
  const end = () => {
    lines.push(...(paragraph.length > 0 ? wrapped(paragraph.join(' '), width, '') : []));
    paragraph = [];
  };
  for (const line of text.split('\n')) {
    if (/^\S/.test(line)) {
      paragraph.push(line);
      continue;
    }
    end();
    lines.push(line);
  }
  end();
  return lines.join('\n');
}
