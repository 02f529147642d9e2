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

/** Parses a state. `asking 5/3/1` means 5 ticks of silence, 3 ticks since the first question, 1 denial. */
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

describe('the state machine', () => {
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
    // Messages of the abandoned connection prove nothing about the next one.
    ['renewing 6/4/0', 'heard', 'renewing 6/4/0'],
    ['renewing 6/4/0', 'tick', 'renewing 7/4/0'],
    ['renewing 6/4/0', 'denied', 'renewing 6/4/0'],
    ['renewing 6/4/0', 'ended', 'renewing 6/4/0'],
    ['renewing 6/4/2', 'renewed', 'asking 6/0/0, ask'],
  ])('in state %s, the event "%s" results in %s', (state, event, step) => {
    expect(write(nextHearing(read(state), event, patience))).toBe(step);
  });

  test('counts silence until a sign of life comes, however often the connection is renewed', () => {
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

  test('asks for a sign of life, and renews the connection if none comes', async () => {
    const { clock, acts } = listen(async () => {});
    await clock.advance(10_000);
    expect(acts).toEqual(['ask', 'ask', 'ask', 'renew']);
  });

  test('has at most one open question per connection', async () => {
    const { clock, acts, ear } = listen(() => new Promise(() => {}));
    await clock.advance(3_000);
    expect(acts).toEqual(['ask']);
    ear.take('ended');
    ear.take('renewed');
    expect(acts).toEqual(['ask', 'renew', 'ask']);
  });

  test('stops when it is aborted', async () => {
    const { clock, acts, end, ear } = listen(async () => {});
    end.abort();
    await clock.advance(10_000);
    ear.take('ended');
    expect(acts).toEqual([]);
  });
});
