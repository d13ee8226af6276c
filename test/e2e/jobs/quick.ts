import { cron, defineJob } from '#job';

export default defineJob({
  description: 'Ends at once',
  schedule: cron('* * * * *'),
  timezone: 'UTC',
  missed: 'skip',
  crashed: 'rerun',
  run: (fire) => ({ ran: fire.id }),
});
