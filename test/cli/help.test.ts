import { describe, expect, test } from 'vitest';
import { loadCatalog } from '../../functions/catalog/index.ts';
import { instantsOf } from '../../functions/cli/instants.ts';
import { timetable } from '../../functions/domain/schedule/index.ts';
import { runFl } from './run-fl.ts';

const help = async (...words: string[]) => runFl([...words, '--help'], { now: 0, width: 80 });

describe('fl --help', () => {
  test('groups the verbs by what one wants, and tells what the exit codes mean', async () => {
    const { code, out } = await help();
    expect(code).toBe(0);
    expect(Array.from(out.matchAll(/^\S.*:$/gm), ([heading]) => heading)).toEqual([
      'Options:',
      'See what is and was:',
      'See what will be:',
      'Act (each goes on the log):',
      'Begin:',
      'Exit codes:',
      'Examples:',
    ]);
  });

  test('of each verb shows examples, which are of that verb, and fits the terminal but for what is to be copied', async () => {
    const { out } = await help();
    const verbs = Array.from(out.matchAll(/^ {2}([a-z]+) (?:\[|<)/gm), ([, verb = '']) => verb);
    expect(verbs.length).toBeGreaterThan(15);
    for (const verb of verbs.filter((one) => one !== 'help')) {
      const told = (await help(verb)).out;
      const [, examples = ''] = told.split('Examples:\n');
      const lines = examples.trimEnd().split('\n');
      expect({ verb, others: lines.filter((line) => !/^ {2}(.* \| )?fl /.test(line)) }).toEqual({
        verb,
        others: [],
      });
      expect({ verb, isShown: examples.includes(`fl ${verb}`) }).toEqual({ verb, isShown: true });
      expect({
        verb,
        long: told.split('\n').filter((line) => line.length > 80 && !line.startsWith('  ')),
      }).toEqual({
        verb,
        long: [],
      });
    }
  });

  test('names runs in its examples that the jobs of this repository have', async () => {
    const { manifest } = await loadCatalog({ jobsDir: 'functions/jobs' });
    const verbs = [[], ['show'], ['why'], ['retry'], ['cancel'], ['release']];
    const helps = await Promise.all(verbs.map((words) => help(...words)));
    const named = helps.flatMap(({ out }) =>
      Array.from(out.matchAll(/^ {2}fl \w+ ([a-z/-]+)[ #](\d\S*)/gm), ([, id, time = '']) => ({ id, time })),
    );
    expect(named.length).toBeGreaterThan(10);
    for (const { id, time } of named) {
      const spec = manifest.jobs.find((job) => job.id === id)?.spec;
      const instants = instantsOf(
        /^\d\d:/.test(time) ? `2026-12-01T${time}` : time,
        spec?.timezone ?? '',
        'TIME',
      );
      expect({ id, time, isDue: spec && timetable(spec).has(instants[0]) }).toEqual({
        id,
        time,
        isDue: true,
      });
    }
  });
});
