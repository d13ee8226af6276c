/** What the browser loads first. The token is of this start and of this origin: no other site's page can read it. */
export function pageHtml(token: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="fireledger-token" content="${token}">
<title>fireledger</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/console.css">
<script type="module" src="/console.js"></script>
</head>
<body><div id="app"></div></body>
</html>
`;
}
