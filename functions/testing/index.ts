export { BrokenPromise } from './broken-promise.ts';
export { type FakeAnswer, type FakeCall, type FakeFetch, fakeFetch } from './fake-fetch.ts';
export type { LeftBehind } from './past.ts';
export type { LogLine } from './recorded-ports.ts';
export {
  type SimulatedExecution,
  type SimulatedJob,
  type SimulationOptions,
  simulateJob,
} from './simulate-job.ts';
export type { JobFault } from './simulated-faults.ts';
export { type Fired, type FireOptions, testFire } from './test-fire.ts';
