import { describeOnDynamoDb } from './on-dynamodb.ts';
import { worlds } from './worlds.ts';

const few = [
  'two deliveries and a sweep',
  'missed fires that are all made up, up to a limit',
  'a heavy run that waits, and a light newcomer',
];

describeOnDynamoDb(Object.fromEntries(Object.entries(worlds).filter(([name]) => few.includes(name))), {
  runs: 1,
});
