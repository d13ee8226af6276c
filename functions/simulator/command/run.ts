import { huntMutants } from './hunt-mutants.ts';
import type { Machine } from './machine.ts';
import type { Request } from './options.ts';
import { replay } from './replay.ts';
import { simulateSeeds } from './simulate-seeds.ts';

/** Does what was asked for. Whether nothing was found wrong. */
export function run(request: Request, machine: Machine): Promise<boolean> {
  if (request.kind === 'seeds') return simulateSeeds(request, machine);
  return request.kind === 'replay' ? replay(request, machine) : huntMutants(request, machine);
}
