import { expect, test } from 'vitest';
import { read } from './documents.ts';

test('continuous integration runs what the README says, by pinned actions that may only read', () => {
  const script = read('.ci/run');
  for (const command of ['npm ci', 'npm test', 'npm start', 'npx cdk synth -q', 'npm run test:long'])
    expect(script).toMatch(new RegExp(`^${command}\\b`, 'm'));
  const workflow = read('.github/workflows/ci.yml');
  expect(workflow).toContain('- run: .ci/run');
  expect(workflow).toMatch(/^permissions:\n {2}contents: read\n\n/m);
  const actions = Array.from(workflow.matchAll(/uses: (\S+)/g), ([, action]) => action);
  expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action ?? ''))).toEqual([]);
});
