/** Long enough for a browser that asks where to put it. */
const keptMs = 60_000;

/** Hands a text to the browser as a file that it saves. */
export function save(name: string, type: 'text/csv' | 'application/json', text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), keptMs);
}
