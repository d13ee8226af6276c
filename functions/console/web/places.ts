/** The views that the top bar has, and the key that goes there after g. */
export const places = [
  { view: 'now', key: 'n', name: 'Now' },
  { view: 'timeline', key: 't', name: 'Timeline' },
  { view: 'jobs', key: 'j', name: 'Jobs' },
  { view: 'pools', key: 'p', name: 'Pools' },
  { view: 'ledger', key: 'l', name: 'Ledger' },
] as const;
