import { readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

export function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

export interface Link {
  readonly text: string;
  readonly to: string;
  /** What is shown when the pointer rests on it. */
  readonly title?: string;
}

/** The links of a Markdown text, those to addresses as well. They may run over several lines. */
export function linksOf(markdown: string): Link[] {
  const text = prose(markdown).replace(/\s+/g, ' ');
  const links = text.matchAll(/\[([^[\]]+)\]\(([^\s)]+)(?: "([^"]+)")?\)/g);
  return Array.from(links, ([, text = '', to = '', title]) => ({ text, to, ...(title ? { title } : {}) }));
}

/** Without its blocks of code. */
export function prose(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```$/gm, '');
}

/** The blocks of code in one language. */
export function codeBlocks(markdown: string, language: string): string[] {
  const blocks = markdown.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'));
  return Array.from(blocks, ([, code = '']) => code);
}

/** What stands between backticks in the prose. */
export function codeSpans(markdown: string): string[] {
  return Array.from(prose(markdown).matchAll(/`([^`\n]+)`/g), ([, code = '']) => code);
}

/** The part under a heading, up to the next one of its level. */
export function section(markdown: string, heading: string): string {
  const level = /^#+/.exec(heading)?.[0].length ?? 0;
  const [, after] = markdown.split(`\n${heading}\n`);
  if (after === undefined) throw new Error(`there is no heading "${heading}"`);
  return after.split(new RegExp(`^#{1,${level}} `, 'm'))[0] ?? '';
}

/** The text with another part under a heading. */
export function withSection(markdown: string, heading: string, part: string): string {
  const before = section(markdown, heading);
  return markdown.replace(`\n${heading}\n${before}`, () => `\n${heading}\n\n${part}\n`);
}

/** The names by which links reach the headings of a Markdown text. */
export function anchorsOf(markdown: string): string[] {
  return Array.from(prose(markdown).matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The cells of a section's tables, a row each, without heads and rules. */
export function tableRows(markdown: string): string[][] {
  const tables = markdown.matchAll(/^\|.*\|\n\| ---.*\|\n((?:\|.*\|\n)*)/gm);
  return Array.from(tables, ([, rows = '']) => rows.trim().split('\n'))
    .flat()
    .map((row) =>
      row
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}
