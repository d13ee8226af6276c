import { definePools } from '#job';

/** The capacities that jobs share. A job takes of them by its `pools`. */
export default definePools({
  'reports-db': { capacity: 3, describe: 'IO of the reporting database' },
});
