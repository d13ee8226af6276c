export type { Range } from './fires.ts';
export {
  type Forecast,
  type ForecastOf,
  forecast,
  isWrong,
  type JobForecast,
  type Limits,
} from './forecast.ts';
export { groupsOf } from './groups.ts';
export type { Overlap } from './overlap.ts';
export type { PoolForecast } from './pool-forecast.ts';
export { type Peak, sliceMs } from './pool-meter.ts';
export type { Change, Suggestion } from './spread.ts';
