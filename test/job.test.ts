import { expect, it } from 'vitest';
import { typeErrors } from './check/command.ts';
import { strictProject } from './support/strict-project.ts';

const imports = `import { cron, defineJob } from '#job';\n`;

/** A job file without the options named, and with others added. */
function jobFile({ without = [] as string[], more = '' } = {}): string {
  const options = {
    description: `'Reconcile the payments'`,
    schedule: `cron('0 3 * * *')`,
    timezone: `'Asia/Taipei'`,
    missed: `'all'`,
    crashed: `'park'`,
    run: 'async (fire, ctx) => ctx.log.info(fire.id)',
  };
  const kept = Object.entries(options).filter(([name]) => !without.includes(name));
  return `${imports}export default defineJob({ ${kept.map(([name, value]) => `${name}: ${value},`).join(' ')} ${more} });\n`;
}

async function typeErrorsOf(files: Readonly<Record<string, string>>, pools?: string): Promise<string[]> {
  const errors = await typeErrors(strictProject(files, pools));
  return errors
    .filter((line) => line.includes('error TS'))
    .map((line) => line.replace(/\(\d+,\d+\)/, ''))
    .sort();
}

it('the compiler asks the questions of a job, and knows its options and units; while no pool is declared there is none', async () => {
  const files = {
    'pools.ts': `import { definePools } from '#job';\nexport default definePools({});`,
    'fine.ts': jobFile(),
    'no-pools.ts': jobFile({ more: 'pools: {},' }),
    'no-missed.ts': jobFile({ without: ['missed'] }),
    'no-crashed.ts': jobFile({ without: ['crashed'] }),
    'unknown-option.ts': jobFile({ more: `crashd: 'park',` }),
    'unknown-answer.ts': jobFile({ without: ['missed'], more: `missed: 'never',` }),
    'unknown-pool.ts': jobFile({ more: `pools: { 'no-such-pool': 1 },` }),
    'no-unit.ts': jobFile({ more: `timeout: '10',` }),
    'wrong-unit.ts': jobFile({ more: `timeout: '10 fortnights',` }),
    'refined.ts': jobFile({
      more: `dst: { gap: 'skip', repeat: 'both' }, from: '2027-01-01', spread: '1 hour', except: ['2027-02-08', cron('0 3 1 4 *')],`,
    }),
    'one-exception.ts': jobFile({ more: `except: '2027-02-08',` }),
    'half-a-dst.ts': jobFile({ more: `dst: { gap: 'skip' },` }),
    'no-exception.ts': jobFile({ more: `except: [20270208],` }),
    'secret.ts': jobFile({
      without: ['run'],
      more: `secrets: { API_KEY: 'bank/key' }, run: (_fire, ctx) => ctx.secret('API_KEY'),`,
    }),
    'unknown-secret.ts': jobFile({
      without: ['run'],
      more: `secrets: { API_KEY: 'bank/key' }, run: (_fire, ctx) => ctx.secret('API_KY'),`,
    }),
    'no-secrets.ts': jobFile({ without: ['run'], more: `run: (_fire, ctx) => ctx.secret('API_KEY'),` }),
    'unread-input.ts': jobFile({ without: ['run'], more: `run: async (fire) => fire.input.month,` }),
  };
  expect(await typeErrorsOf(files, 'pools.ts')).toMatchInlineSnapshot(`
    [
      "half-a-dst.ts: error TS2741: Property 'repeat' is missing in type '{ gap: "skip"; }' but required in type 'Dst'.",
      "no-crashed.ts: error TS2741: Property 'crashed' is missing in type '{ description: string; schedule: Schedule; timezone: string; missed: "all"; run: (fire: Fire<unknown>, ctx: Context<never>) => Promise<void>; }' but required in type 'JobOptions<unknown, never>'.",
      "no-exception.ts: error TS2322: Type 'number' is not assignable to type 'Exception'.",
      "no-missed.ts: error TS2741: Property 'missed' is missing in type '{ description: string; schedule: Schedule; timezone: string; crashed: "park"; run: (fire: Fire<unknown>, ctx: Context<never>) => Promise<void>; }' but required in type 'JobOptions<unknown, never>'.",
      "no-secrets.ts: error TS2345: Argument of type '"API_KEY"' is not assignable to parameter of type 'never'.",
      "no-unit.ts: error TS2322: Type '"10"' is not assignable to type '\`\${number} day\` | \`\${number} days\` | \`\${number} hour\` | \`\${number} hours\` | \`\${number} minute\` | \`\${number} minutes\` | \`\${number} second\` | \`\${number} seconds\`'.",
      "unknown-answer.ts: error TS2322: Type '"never"' is not assignable to type 'Missed'.",
      "unknown-option.ts: error TS2561: Object literal may only specify known properties, but 'crashd' does not exist in type 'JobOptions<unknown, never>'. Did you mean to write 'crashed'?",
      "unknown-pool.ts: error TS2322: Type 'number' is not assignable to type 'never'.",
      "unknown-secret.ts: error TS2345: Argument of type '"API_KY"' is not assignable to parameter of type '"API_KEY"'.",
      "unread-input.ts: error TS18046: 'fire.input' is of type 'unknown'.",
      "wrong-unit.ts: error TS2322: Type '"10 fortnights"' is not assignable to type '\`\${number} day\` | \`\${number} days\` | \`\${number} hour\` | \`\${number} hours\` | \`\${number} minute\` | \`\${number} minutes\` | \`\${number} second\` | \`\${number} seconds\`'.",
    ]
  `);
});

it('the compiler knows the pools that are declared', async () => {
  const files = {
    'pools.ts': `
      import { definePools } from '#job';
      export default definePools({ 'payments-db': { capacity: 4, describe: 'Connections of payments' }, mail: { capacity: 2, describe: 'The mail service' } });`,
    'known.ts': jobFile({ more: `pools: { 'payments-db': 1 }, priority: 5,` }),
    'several.ts': jobFile({ more: `pools: { 'payments-db': 1, mail: 2 },` }),
    'misspelt.ts': jobFile({ more: `pools: { 'payment-db': 1 },` }),
    'no-weights.ts': jobFile({ more: `pools: ['payments-db'],` }),
    'no-number.ts': jobFile({ more: `pools: { 'payments-db': '1' },` }),
  };
  expect(await typeErrorsOf(files, 'pools.ts')).toMatchInlineSnapshot(`
    [
      "misspelt.ts: error TS2353: Object literal may only specify known properties, and ''payment-db'' does not exist in type 'Readonly<Partial<Record<PoolName, number>>>'.",
      "no-number.ts: error TS2322: Type 'string' is not assignable to type 'number'.",
      "no-weights.ts: error TS2559: Type 'string[]' has no properties in common with type 'Readonly<Partial<Record<PoolName, number>>>'.",
    ]
  `);
});
