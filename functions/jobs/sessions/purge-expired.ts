import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { cron, defineJob } from '#job';
import { isoSeconds } from '../../example/days.ts';
import { dynamo, scanPages, tableName } from '../../example/dynamo.ts';
import { exampleTableArn } from '../../example/tables.ts';

export default defineJob({
  // DynamoDB's own TTL may take days; these have to be gone within the hour.
  description: 'Delete expired sessions',
  schedule: cron('0 * * * *'),
  timezone: 'UTC',
  missed: 'skip', // The next hour's run deletes whatever this one would have.
  crashed: 'rerun',
  permissions: [
    { actions: ['dynamodb:Scan', 'dynamodb:DeleteItem'], resources: [exampleTableArn('sessions')] },
  ],

  async run(fire, ctx) {
    const now = isoSeconds(fire.fireTime);
    const scan = {
      FilterExpression: 'expiresAt <= :now',
      ExpressionAttributeValues: { ':now': now },
      Limit: 50,
    };
    let deleted = 0;
    // The signal stops it between two pages; a page that was begun is a matter of milliseconds.
    for await (const page of scanPages('sessions', scan, ctx.signal)) {
      const outcomes = await Promise.all(page.map(({ sessionId }) => deleteExpired(sessionId, now)));
      deleted += outcomes.filter((gone) => gone).length;
    }
    ctx.log.info('Expired sessions deleted', { deleted });
    return { deleted };
  },
});

/** False when the session was renewed since it was read: the condition keeps its owner logged in. */
async function deleteExpired(sessionId: string, now: string): Promise<boolean> {
  const command = new DeleteCommand({
    TableName: tableName('sessions'),
    Key: { sessionId },
    ConditionExpression: 'expiresAt <= :now',
    ExpressionAttributeValues: { ':now': now },
  });
  try {
    await dynamo.send(command);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
