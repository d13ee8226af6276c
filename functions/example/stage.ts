import { env } from '../contract.ts';

/** The stage that this process runs in: it tells which tables are meant. */
export function currentStage(): string {
  const stage = process.env[env.stage];
  if (!stage)
    throw new Error(
      `${env.stage} is not set: it names the stage whose example tables are meant, such as local`,
    );
  return stage;
}
