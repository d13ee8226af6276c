export { type FakeAnswer, type FakeCall, type FakeFetch, fakeFetch } from './fake-fetch.ts';
export type { LogLine } from './recorded-ports.ts';
export { type Fired, type FireOptions, testFire } from './test-fire.ts';
