/** Programs that only start another. */
const starters = /^(sudo|nice|ionice|env|exec|time|timeout|nohup|chronic|command)$/;
/** Programs of which the script says what they do. */
const interpreters =
  /^(ba|z|da|k)?sh$|^(python|php|node|ruby|perl|java|deno|bun|tsx)[\d.]*$|^(npx|npm|artisan|console|manage)$/;

const locking = /^\S*\bflock(\s+-\S+(\s+\d+)?)*\s+\S+/;

/** What a command is best called: `backup` for `cd /srv && /usr/bin/nice -n 5 ./backup.sh --full | gzip`. */
export function programName(command: string): string {
  const first = command
    .split(/&&|\|\||;/)
    .map((part) => part.replace(/^[\s({]+/, '').trim())
    .find((part) => !/^(cd|\.|source|export|\[|test)\s/.test(part) && part !== '');
  const words = (first ?? command).replace(locking, '').split('|')[0]?.split(/\s+/) ?? [];
  const names = words.map(baseName).filter((word) => /^[a-z][\w.:+-]*$/i.test(word));
  const telling = names.find((word) => !starters.test(word) && !interpreters.test(word));
  return telling ?? names[0] ?? 'command';
}

/** Of a path, without its ending; nothing of `NAME=value`. */
function baseName(word: string): string {
  if (/^\w+=/.test(word)) return '';
  const name =
    word
      .replace(/^["']|["']$/g, '')
      .split('/')
      .at(-1) ?? '';
  return name.replace(/(.)\.[a-z0-9]{1,4}$/i, '$1');
}
