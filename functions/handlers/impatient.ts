/** A request that hangs must hold up nothing: everything else that a turn does waits for it. */
export const impatient = {
  connectionTimeout: 1_000,
  requestTimeout: 5_000,
  throwOnRequestTimeout: true,
} as const;
