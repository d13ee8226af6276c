/** What has been taken in already, and so can't change any more. */
const taken = new WeakSet<object>();

/** Values go in as a store would take them: copies, without what JSON does not know. Nobody can change what comes out. */
export function copied<T>(value: T): T {
  if (typeof value !== 'object' || value === null || taken.has(value)) return value;
  const copy = isPlain(value) ? copiedParts(value) : JSON.parse(JSON.stringify(value));
  taken.add(copy);
  return Object.freeze(copy);
}

function copiedParts<T extends object>(value: T): T {
  if (Array.isArray(value)) return value.map(copied) as typeof value;
  const copy: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(value)) if (part !== undefined) copy[name] = copied(part);
  return copy as T;
}

function isPlain(value: object): boolean {
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}
