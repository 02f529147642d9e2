import { describe, expect, test } from 'vitest';
import {
  type Hearing,
  type HearingEvent,
  type HearingStep,
  listenFor,
  nextHearing,
  unheard,
} from '../../../server/service/ground/hearing.ts';
import { createManualClock } from '../../support/service/manualClock.ts';

const patience = { ask: 2, giveUp: 4 };

/** `asking 5/3/1`: silent for 5 ticks, asked for 3 of them, denied once. */
function read(text: string): Hearing {
  const [, kind, silent, asked, denied] = /^(\w+) (\d+)\/(\d+)\/(\d+)$/.exec(text) ?? [];
  const [numberOfSilent = 0, numberOfAsked = 0, numberOfDenied = 0] = [silent, asked, denied].map(Number);
  return {
    kind: kind as Hearing['kind'],
    silent: numberOfSilent,
    asked: numberOfAsked,
    denied: numberOfDenied,
  };
}

function write({ state: { kind, silent, asked, denied }, act }: HearingStep): string {
  return `${kind} ${silent}/${asked}/${denied}${act === undefined ? '' : `, ${act}`}`;
}

describe('each state and event', () => {
  test.each<[string, HearingEvent, string]>([
    ['hearing 0/0/0', 'heard', 'hearing 0/0/0'],
    ['hearing 1/0/0', 'heard', 'hearing 0/0/0'],
    ['hearing 0/0/0', 'tick', 'hearing 1/0/0'],
    ['hearing 1/0/0', 'tick', 'asking 2/0/0, ask'],
    ['hearing 1/0/0', 'denied', 'hearing 1/0/0'],
    ['hearing 1/0/0', 'ended', 'renewing 1/0/0, renew'],
    ['hearing 1/0/0', 'renewed', 'asking 1/0/0, ask'],
    ['asking 3/1/1', 'heard', 'hearing 0/0/0'],
    ['asking 3/1/0', 'tick', 'asking 4/2/0, ask'],
    ['asking 5/3/0', 'tick', 'renewing 6/4/0, renew'],
    ['asking 3/1/0', 'denied', 'asking 3/1/1'],
    ['asking 3/1/1', 'denied', 'renewing 3/1/2, renew'],
    ['asking 3/1/1', 'ended', 'renewing 3/1/1, renew'],
    ['asking 3/1/1', 'renewed', 'asking 3/0/0, ask'],
    // Messages of the connection that was given up prove nothing about the next one.
    ['renewing 6/4/0', 'heard', 'renewing 6/4/0'],
    ['renewing 6/4/0', 'tick', 'renewing 7/4/0'],
    ['renewing 6/4/0', 'denied', 'renewing 6/4/0'],
    ['renewing 6/4/0', 'ended', 'renewing 6/4/0'],
    ['renewing 6/4/2', 'renewed', 'asking 6/0/0, ask'],
  ])('%s, %s: %s', (state, event, step) => {
    expect(write(nextHearing(read(state), event, patience))).toBe(step);
  });

  test('silence is over with a sign of life alone, however often the connection was renewed', () => {
    let state = unheard;
    for (let round = 0; round < 5; round += 1) {
      for (let tick = 0; tick < 4; tick += 1) state = nextHearing(state, 'tick', patience).state;
      expect(state).toMatchObject({ kind: 'renewing', silent: 4 * (round + 1) });
      state = nextHearing(state, 'renewed', patience).state;
    }
    expect(nextHearing(state, 'heard', patience).state).toMatchObject({ kind: 'hearing', silent: 0 });
  });
});

describe('listening', () => {
  function listen(answer: () => Promise<void>) {
    const clock = createManualClock();
    const acts: string[] = [];
    const end = new AbortController();
    const ask = () => {
      acts.push('ask');
      return answer();
    };
    const ear = listenFor({ patience, ask, renew: () => acts.push('renew') }, clock, end.signal);
    return { clock, acts, end, ear };
  }

  test('asks, and gives up when nothing comes', async () => {
    const { clock, acts } = listen(async () => {});
    await clock.advance(10_000);
    expect(acts).toEqual(['ask', 'ask', 'ask', 'renew']);
  });

  test('does not ask again before a question has failed or was answered', async () => {
    const { clock, acts, ear } = listen(() => new Promise(() => {}));
    await clock.advance(3_000);
    expect(acts).toEqual(['ask']);
    ear.take('ended');
    ear.take('renewed');
    expect(acts).toEqual(['ask', 'renew', 'ask']);
  });

  test('is over when it is aborted', async () => {
    const { clock, acts, end, ear } = listen(async () => {});
    end.abort();
    await clock.advance(10_000);
    ear.take('ended');
    expect(acts).toEqual([]);
  });
});
