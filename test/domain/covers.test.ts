import { describe, expect, it } from 'vitest';
import { coversOf, mostCovers } from '../../functions/domain/covers.ts';
import { fireKey } from '../../functions/domain/names.ts';
import { at } from '../support/jobs.ts';

function run(time: string, supersededBy?: string) {
  return {
    key: fireKey(at(time)),
    fireTime: at(time),
    ...(supersededBy !== undefined && { supersededBy: fireKey(at(supersededBy)) }),
  };
}

describe('the fires that a run stands for', () => {
  it('are those superseded by it, and by those in turn, oldest first', () => {
    const older = [run('02:00', '03:00'), run('01:00', '02:00'), run('00:30', '01:00')];
    expect(coversOf(run('03:00'), older)).toEqual([at('00:30'), at('01:00'), at('02:00')]);
  });

  it('are none of another run’s, and none that were not superseded', () => {
    const older = [run('02:00'), run('01:30', '02:00'), run('01:00', '03:00'), run('00:30', '02:30')];
    expect(coversOf(run('03:00'), older)).toEqual([at('01:00')]);
  });

  it('are bounded, the newest kept, so that the record can always be written', () => {
    const by = fireKey(at('03:00'));
    const older = Array.from({ length: mostCovers + 1 }, (_, index) => ({
      key: `k${index}`,
      fireTime: -index,
      supersededBy: by,
    }));
    const covers = coversOf({ key: by }, older);
    expect(covers).toHaveLength(mostCovers);
    expect(covers.at(-1)).toBe(-0);
  });
});
