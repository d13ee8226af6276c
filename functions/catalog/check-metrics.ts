import type { ManifestJob } from '../domain/manifest.ts';
import type { Refuse } from './problem.ts';

/** Whether a job has metrics of its own: nothing unless it asks for them. */
export function checkMetrics(value: unknown, refuse: Refuse): Pick<ManifestJob, 'metrics'> {
  if (value !== undefined && typeof value !== 'boolean')
    refuse('metrics', value, 'is not allowed; allowed is true or false');
  return value === true ? { metrics: value } : {};
}
