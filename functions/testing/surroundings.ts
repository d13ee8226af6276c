/** What a job finds around itself: globals of this process, so that only one fire at a time can be tested in it. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string>>;
  readonly fetch: typeof globalThis.fetch;
}

/** Runs `work` with the environment and `fetch` in place, and puts back what was there. */
export async function within<T>({ environment, fetch }: Surroundings, work: () => Promise<T>): Promise<T> {
  const before = { fetch: globalThis.fetch, environment: { ...process.env } };
  Object.assign(process.env, environment);
  globalThis.fetch = fetch;
  try {
    return await work();
  } finally {
    globalThis.fetch = before.fetch;
    for (const name of Object.keys(environment)) restore(name, before.environment[name]);
  }
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
