import { existsSync } from 'node:fs';

export const executablePath = '/usr/bin/chromium';
export const hasChromium = existsSync(executablePath);
if (!hasChromium)
  console.warn(
    'SKIPPED: there is no /usr/bin/chromium, so the page was not looked at: apt-get install chromium',
  );

export const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
];
