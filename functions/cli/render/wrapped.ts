import stringWidth from 'string-width';

/** Lines no wider than `width` where words allow it. */
export function wrapped(text: string, width: number, indent: string, hanging = indent): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    const blank = line.trim() === '' ? '' : ' ';
    if (blank !== '' && stringWidth(line) + 1 + stringWidth(word) > width) {
      lines.push(line);
      line = `${hanging}${word}`;
    } else line += `${blank}${word}`;
  }
  return [...lines, line];
}
