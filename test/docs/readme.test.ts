import { existsSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../../functions/cli/program.ts';
import { plainLook } from '../../functions/cli/render/look.ts';
import { consoleCommand } from '../../functions/console/options.ts';
import { readOptions } from '../../functions/local/options.ts';
import { simulateCommand } from '../../functions/simulator/command/options.ts';
import { codeBlocks, codeSpans, read, root, section, tableRows } from './documents.ts';

const readme = read('README.md');
const architecture = read('ARCHITECTURE.md');
const commands = [readme, architecture].flatMap((text) => [...codeSpans(text), ...codeBlocks(text, 'sh')]);

interface Option {
  readonly name: string;
  readonly says: string | undefined;
  readonly defaultsTo: string;
}

/** The options of a job, as the authors' API describes them. */
function jobOptions(): Option[] {
  const [, body = ''] =
    /export interface JobOptions[^{]*\{\n([\s\S]*?)\n\}/.exec(read('functions/job.ts')) ?? [];
  const fields = body.matchAll(/(?:^ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?^ {2}readonly (\w+)(\?)?:/gm);
  return Array.from(fields, ([, comment, name = '', optional]) => {
    const [says, value = optional ? '' : 'required'] = oneLine(comment)?.split(' @default ') ?? [];
    return { name, says, defaultsTo: /^['\d]/.test(value) ? `\`${value}\`` : value };
  });
}

function oneLine(comment: string | undefined): string | undefined {
  return comment
    ?.replace(/\n +\* ?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

describe('the options of a job', () => {
  test('are those of the type, in its words and with its defaults', () => {
    expect(tableRows(section(readme, '## Writing a job'))).toEqual(
      jobOptions().map(({ name, says, defaultsTo }) => [`\`${name}\``, says, defaultsTo]),
    );
  });
});

/** What fl writes to a person, and its exit code. */
async function fl(...words: string[]): Promise<{ code: number; out: string }> {
  let out = '';
  const write = async (text: string) => {
    out += text;
  };
  const look = plainLook(120);
  const io = {
    write,
    warn: () => {},
    input: new PassThrough(),
    now: () => 0,
    sleep: async () => {},
    onInterrupt: () => () => {},
    drawToken: () => '',
    user: () => 'ops',
    look,
  };
  return { code: await runCommand(words, io), out };
}

describe('fl', () => {
  test('has the verbs of the table, and no others', async () => {
    const help = (await fl('--help')).out;
    const verbs = Array.from(help.matchAll(/^ {2}([a-z]+) (?:\[|<)/gm), ([, verb]) => verb);
    const told = tableRows(section(readme, '## fl')).map(([cell = '']) => cell.replace(/`(?:fl )?/g, ''));
    expect(told).toEqual(verbs.filter((verb) => verb !== 'help'));
  });

  test('takes every verb and option that is named', async () => {
    const named = commands.flatMap((command) => {
      const [, verb, options = ''] = /\bfl(?: --)? ([a-z]+)( .*)?$/.exec(command) ?? [];
      return verb === undefined ? [] : [{ verb, options: options.match(/--[a-z]+/g) ?? [] }];
    });
    expect(named.length).toBeGreaterThan(6);
    for (const { verb, options } of named) {
      const { code, out } = await fl(verb, '--help');
      expect({ verb, code, lacking: options.filter((option) => !out.includes(option)) }).toEqual({
        verb,
        code: 0,
        lacking: [],
      });
    }
  });
});

describe('commands', () => {
  test('npm start takes the options of the table', () => {
    const samples: Readonly<Record<string, string>> = { DIR: 'dir', N: '3', TIME: '90s', '[SEED]': '7' };
    const options = tableRows(section(readme, '## npm start')).map(([cell = '']) => codeSpans(cell)[0] ?? '');
    expect(options).toHaveLength(9);
    const words = options.flatMap((option) => option.split(' ').map((word) => samples[word] ?? word));
    expect(readOptions(words)).toEqual({
      data: 'dir',
      ephemeral: true,
      jobs: 'dir',
      instances: 3,
      chaosSeed: 7,
      forMs: 90_000,
      json: true,
      port: 3,
      console: false,
    });
  });

  test('npm run simulate takes the options of the table, and no others', () => {
    const told = tableRows(section(readme, '## npm run simulate')).map(
      ([cell = '']) => codeSpans(cell)[0] ?? '',
    );
    const named = (text: string) => text.match(/--[a-z]+/g) ?? [];
    const options = simulateCommand([]).options.flatMap(({ flags }) => named(flags));
    expect(told.flatMap(named)).toEqual(options);
    const examples = commands.filter((command) => command.includes('npm run simulate --'));
    expect(examples.length).toBeGreaterThan(0);
    expect(examples.flatMap(named).filter((name) => !options.includes(name))).toEqual([]);
  });

  test('npm run console takes the options of the table, and no others', () => {
    const told = tableRows(section(readme, '## The console')).map(([cell = '']) => codeSpans(cell)[0] ?? '');
    const named = (text: string) => text.match(/--[a-z]+/g) ?? [];
    expect(told.flatMap(named)).toEqual(consoleCommand().options.flatMap(({ flags }) => named(flags)));
  });

  test('npm and npx run only what is there', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const script = read('.ci/run').replace(/^ *(#|section ).*$/gm, '');
    const texts = [...commands, ...codeSpans(read('infra/RUNBOOK.md')), script].join('\n');
    const run = Array.from(texts.matchAll(/\bnpm (?:run (?:-s )?)?([a-z:]+)/g), ([, name = '']) => name);
    expect(run.filter((name) => name !== 'ci' && !(name in scripts))).toEqual([]);
    const programs = Array.from(texts.matchAll(/\bnpx ([a-z-]+)/g), ([, name = '']) => name);
    expect(programs.length).toBeGreaterThan(0);
    expect(programs.filter((name) => !existsSync(path.join(root, 'node_modules/.bin', name)))).toEqual([]);
  });
});
