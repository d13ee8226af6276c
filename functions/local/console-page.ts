import { readFileSync, writeFileSync } from 'node:fs';
import type { Bundle } from '../console/bundle.ts';
import type { OpenConsole, OpenOptions } from '../console/open.ts';
import type { DataFolder } from './datafolder.ts';

/** The server's code, and the page's. */
interface Loaded {
  readonly openConsole: (options: OpenOptions) => Promise<OpenConsole>;
  readonly bundle: Bundle;
}

/** Loads it while others are waited for. Whether that came to anything is told when it is to be served. */
export function loadConsole(): Promise<Loaded> {
  const web = import('../console/bundle.ts').then(({ bundleWeb }) => bundleWeb());
  const loaded = Promise.all([web, import('../console/open.ts')]).then(([bundle, { openConsole }]) => ({
    ...{ bundle, openConsole },
  }));
  loaded.catch(() => undefined);
  return loaded;
}

interface PageOptions {
  /** Announced, so that it tells where its ledger is. */
  readonly folder: Pick<DataFolder, 'dir' | 'path'>;
  readonly loaded: Promise<Loaded>;
  readonly jobsDir: string;
}

/**
 * Serves the console of what runs here, as `npm run console` does. It keeps its port from one start to the next, so that a page
 * that stayed open finds it again. Null, and told, when it can't be served: all else goes on.
 */
export async function openPage({ folder, loaded, jobsDir }: PageOptions): Promise<OpenConsole | null> {
  const warn = (text: string) => console.error(text.trim());
  const portFile = folder.path('console-port');
  try {
    const { openConsole, bundle } = await loaded;
    const open = (port: number) =>
      openConsole({ ledger: { data: folder.dir }, bundle, jobsDir, warn, port, command: 'npm start' });
    const page = await open(lastPort(portFile)).catch(() => open(0));
    writeFileSync(portFile, new URL(page.url).port);
    return page;
  } catch (error) {
    warn(`warning: the console can't be served: ${error instanceof Error ? error.message : error}`);
    return null;
  }
}

/** 0, any free one, where there was none. */
function lastPort(file: string): number {
  try {
    const port = Number(readFileSync(file, 'utf8'));
    return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : 0;
  } catch {
    return 0;
  }
}
