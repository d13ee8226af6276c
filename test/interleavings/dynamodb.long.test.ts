import { describeOnDynamoDb } from './on-dynamodb.ts';
import { worlds } from './worlds.ts';

describeOnDynamoDb(worlds, { runs: 20 });
