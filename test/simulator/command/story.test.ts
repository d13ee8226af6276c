import { describe, expect, test } from 'vitest';
import { plainLook } from '../../../functions/cli/render/look.ts';
import { StoryTeller } from '../../../functions/simulator/command/story.ts';
import { sinceText, storyText } from '../../../functions/simulator/command/story-text.ts';
import type { TraceLine } from '../../../functions/simulator/trace.ts';

const run = 'billing/close-month#2026-12-01T05:00:00Z';
const other = 'rates/pull-fx#2026-12-01T05:00:00Z';
const due = Date.parse('2026-12-01T05:00:00Z');

function told(about: string | undefined, lines: readonly TraceLine[]) {
  const teller = new StoryTeller(about);
  for (const line of lines) teller.listen(line);
  return teller.story;
}

function strike(at: number, place: number): TraceLine {
  return { at, actor: 'fault', what: 'lost-answer', strike: { fault: 'lost-answer', place } };
}

function line(at: number, what: string, about?: string): TraceLine {
  return { at, actor: 'sandbox 1', what, ...(about === undefined ? {} : { run: about }) };
}

describe('the story of a run', () => {
  test('is its own lines, and the strikes between them', () => {
    const lines = [
      line(due, 'began', run),
      line(due, 'another', other),
      strike(due + 250, 3),
      line(due, 'of none'),
    ];
    expect(told(run, lines).lines.map(({ what }) => what)).toEqual(['began', 'lost-answer']);
  });

  test('leaves out strikes of other times when there are many, and counts them', () => {
    const early = Array.from({ length: 50 }, (_, place) => strike(due - 86_400_000, place));
    const story = told(run, [...early, strike(due - 60_000, 50), line(due, 'began', run)]);
    expect(story.lines.map(({ what }) => what)).toEqual(['lost-answer', 'began']);
    expect(story.otherStrikes).toBe(50);
  });

  test('of no run in particular is the last lines', () => {
    const story = told(
      undefined,
      Array.from({ length: 500 }, (_, at) => line(due + at, `line ${at}`)),
    );
    expect(story.lines).toHaveLength(30);
    expect(story.lines.at(-1)?.what).toBe('line 499');
    expect(story.leftOut).toBe(470);
  });

  test('stands in columns, each time also since the run was due, and ends with what broke', () => {
    const lines = [
      strike(due - 48_000, 2),
      line(due + 250, 'began attempt 1', run),
      line(due + 125_000, 'returned\n\u001b[31m', run),
    ];
    const violation = { invariant: 'one-live-attempt', at: due + 125_000, what: 'two were alive' };
    expect(storyText(told(run, lines), plainLook(120), violation)).toMatchInlineSnapshot(`
      "TIME                      SINCE DUE   WHO        WHAT
      2026-12-01T04:59:12.000Z  -48.000 s   ! fault    lost-answer (strike 3): the store writes, and its answer is lost
      2026-12-01T05:00:00.250Z  +0.250 s    sandbox 1  began attempt 1
      2026-12-01T05:02:05.000Z  +2 min 5 s  sandbox 1  returned \\u{1b}[31m
      2026-12-01T05:02:05.000Z  +2 min 5 s  ✗ broken   one-live-attempt: two were alive"
    `);
  });
});

test('a time since is to the millisecond within a minute', () => {
  expect([0, 250, -48_000, 125_000, 90_000_000].map(sinceText)).toEqual([
    '+0.000 s',
    '+0.250 s',
    '-48.000 s',
    '+2 min 5 s',
    '+1 d 1 h',
  ]);
});
