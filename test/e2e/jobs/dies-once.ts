import { cron, defineJob } from '#job';

export default defineJob({
  description: 'Its process ends in the middle of each first attempt',
  schedule: cron('* * * * *'),
  timezone: 'UTC',
  missed: 'skip',
  crashed: 'rerun',
  overlap: 'skip',
  timeout: '20 seconds',
  run: (fire) => {
    if (fire.attempt === 1) process.exit(7);
    return { ran: fire.id };
  },
});
