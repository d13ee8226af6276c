import type { Ledger } from '../domain/ledger.ts';
import type { Manifest, ManifestJob } from '../domain/manifest.ts';
import type { Compiled } from '../reconciler/observe.ts';
import type { ReconcilerPorts } from '../reconciler/ports.ts';
import type { Ports } from '../runtime/ports.ts';
import type { MemoryLedger } from '../store/memory.ts';

/** What can be changed of the code under simulation from outside, through its ports: how mutants are made. */
export interface Alterations {
  /** What all processes have for a ledger. `now`: the true time. */
  readonly ledger?: (ledger: MemoryLedger, now: () => number) => Ledger;
  /** What a job's function has for its ports, and believes about its job, when this event arrives. */
  readonly job?: (of: JobUnderTest) => Pick<JobUnderTest, 'ports' | 'job'>;
  readonly reconciler?: (ports: ReconcilerPorts) => ReconcilerPorts;
  /** What the reconciler believes about the jobs. */
  readonly manifest?: (manifest: Manifest) => Manifest;
  readonly compiled?: (compiled: Compiled) => Compiled;
}

export interface JobUnderTest {
  readonly ports: Ports;
  readonly job: ManifestJob;
  readonly event: unknown;
}
