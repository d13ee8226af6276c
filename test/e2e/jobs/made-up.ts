import { cron, defineJob } from '#job';

export default defineJob({
  description: 'Has each fire made up for',
  schedule: cron('* * * * *'),
  timezone: 'UTC',
  missed: 'all',
  crashed: 'rerun',
  run: (fire) => ({ ran: fire.id }),
});
