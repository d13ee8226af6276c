/** What the server tells of itself with the page. */
export interface Start {
  /** Of this start and of this origin: no other site's page can read it. */
  readonly token: string;
  /** What a person calls the ledger. */
  readonly place: string;
  /** Empty: a data folder on this machine. */
  readonly stage: string;
  /** By which `fl` reads the same ledger: `--stage prod`. */
  readonly options: string;
  /** By which a person starts it again. */
  readonly command: string;
  /** Of the page's program: another one is a newer page. */
  readonly version: string;
}

/** What the browser loads first; a page that is open reads it again to learn whether the server is still the same. */
export function pageHtml(start: Start): string {
  const metas = Object.entries(start).map(
    ([name, value]) => `<meta name="fireledger-${name}" content="${quoted(value)}">`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${metas.join('\n')}
<title>fireledger</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/console.css">
<script type="module" src="/console.js"></script>
</head>
<body><div id="app"></div></body>
</html>
`;
}

function quoted(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
