import { onTestFinished } from 'vitest';
import { type OpenLedger, usingLedger } from '../../functions/cli/open-ledger.ts';
import type { ConsoleOptions } from '../../functions/console/server/serve.ts';
import { actingFolder } from '../cli/acting.ts';
import { serve } from './served.ts';

/** The console on an embedded DynamoDB beside the real reconciler, in virtual time. */
export async function acting(
  now: number,
  { jobs, ...more }: Partial<ConsoleOptions> & { readonly jobs?: Parameters<typeof actingFolder>[1] } = {},
) {
  const { folder, world, turn, failed, newest } = await actingFolder(now, jobs);
  const { reconciler } = await opened(folder.dir);
  const served = await serve(folder.ledger, () => world.now, {
    ...{ reconciler, jobsDir: 'test/console/none' },
    ...more,
  });
  return { ...served, ledger: folder.ledger, world, turn, failed, newest };
}

/** A data folder as a command has it open, until the test is over. */
function opened(data: string): Promise<OpenLedger> {
  return new Promise((resolve, reject) => {
    const isOver = new Promise<void>((end) => onTestFinished(() => end()));
    usingLedger({ data }, 'doctor', async (open) => {
      resolve(open);
      await isOver;
    }).catch(reject);
  });
}
