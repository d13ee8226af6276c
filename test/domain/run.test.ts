import { expect, test } from 'vitest';
import { isOpen, openStates, terminalStates, turnOf, waitingBand } from '../../functions/domain/run.ts';
import { at } from '../support/jobs.ts';

test('a run is open until it has come to an end', () => {
  expect(openStates.map(isOpen)).toEqual(openStates.map(() => true));
  expect(terminalStates.map(isOpen)).toEqual(terminalStates.map(() => false));
});

test('of those that wait, those that wait for nothing but the slot come first, then the oldest fires', () => {
  const turns = [
    turnOf(at('12:00'), 'slot'),
    turnOf(at('13:00'), 'slot'),
    turnOf(at('10:00'), 'catch-up'),
    turnOf(at('11:00'), 'catch-up'),
  ];
  expect([...turns].sort((a, b) => a - b)).toEqual(turns);
});

test('a turn is above every instant, so that those that wait hide no ended lease', () => {
  for (const turn of [turnOf(0, 'slot'), turnOf(Date.UTC(9999, 11, 31), 'catch-up')]) {
    expect(turn).toBeGreaterThanOrEqual(waitingBand.from);
    expect(turn).toBeLessThan(waitingBand.until);
  }
});
