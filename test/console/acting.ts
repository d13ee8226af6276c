import { usingLedger } from '../../functions/cli/open-ledger.ts';
import type { ConsoleOptions } from '../../functions/console/server/serve.ts';
import { actingFolder } from '../cli/acting.ts';
import { serve } from './served.ts';

/** The console on an embedded DynamoDB beside the real reconciler, in virtual time. */
export async function acting(
  now: number,
  { jobs, ...more }: Partial<ConsoleOptions> & { readonly jobs?: Parameters<typeof actingFolder>[1] } = {},
) {
  const { folder, world, turn, failed, newest } = await actingFolder(now, jobs);
  const served = await serve(folder.ledger, () => world.now, {
    reconciler: () => usingLedger({ data: folder.dir }, 'doctor', ({ reconciler }) => reconciler()),
    jobsDir: 'test/console/none',
    ...more,
  });
  return { ...served, ledger: folder.ledger, world, turn, failed, newest };
}
