import { describe, expect, test } from 'vitest';
import { type LocalEvent, type LocalState, step } from '../../../client/local/machine.ts';

const states = {
  looking: { kind: 'looking' },
  off: { kind: 'off' },
  starting: { kind: 'starting', crashes: 0 },
  startingAgain: { kind: 'starting', crashes: 1 },
  running: { kind: 'running', url: 'http://a', crashes: 0 },
  runningAgain: { kind: 'running', url: 'http://a', crashes: 1 },
  stopping: { kind: 'stopping', again: false },
  restarting: { kind: 'stopping', again: true },
  failed: { kind: 'failed', sentence: 'Why.' },
} satisfies Record<string, LocalState>;

const events = {
  start: { kind: 'start' },
  stop: { kind: 'stop' },
  restart: { kind: 'restart' },
  ready: { kind: 'ready', url: 'http://a' },
  absent: { kind: 'absent' },
  ended: { kind: 'ended', sentence: 'Why.', ranFor: 1_000 },
  endedLate: { kind: 'ended', sentence: 'Why.', ranFor: 3_600_000 },
  overdue: { kind: 'overdue' },
} satisfies Record<string, LocalEvent>;

type StateName = keyof typeof states;
type EventName = keyof typeof events;

/** The next state, followed by its effect if it has one. */
type Cell = StateName | `${StateName} ${'launch' | 'release' | 'report'}`;

const table: Readonly<Record<StateName, Readonly<Record<EventName, Cell>>>> = {
  looking: {
    start: 'starting launch',
    stop: 'stopping release',
    restart: 'starting launch',
    ready: 'running',
    absent: 'off',
    ended: 'off',
    endedLate: 'off',
    overdue: 'looking',
  },
  off: {
    start: 'starting launch',
    stop: 'off',
    restart: 'starting launch',
    ready: 'off',
    absent: 'off',
    ended: 'off',
    endedLate: 'off',
    overdue: 'off',
  },
  starting: {
    start: 'starting',
    stop: 'stopping release',
    restart: 'restarting release',
    ready: 'running',
    absent: 'starting',
    ended: 'failed',
    endedLate: 'failed',
    overdue: 'failed release',
  },
  startingAgain: {
    start: 'startingAgain',
    stop: 'stopping release',
    restart: 'restarting release',
    ready: 'runningAgain',
    absent: 'startingAgain',
    ended: 'failed report',
    endedLate: 'failed report',
    overdue: 'failed release',
  },
  running: {
    start: 'running',
    stop: 'stopping release',
    restart: 'restarting release',
    ready: 'running',
    absent: 'running',
    ended: 'startingAgain launch',
    endedLate: 'startingAgain launch',
    overdue: 'running',
  },
  runningAgain: {
    start: 'runningAgain',
    stop: 'stopping release',
    restart: 'restarting release',
    ready: 'runningAgain',
    absent: 'runningAgain',
    ended: 'failed report',
    endedLate: 'startingAgain launch',
    overdue: 'runningAgain',
  },
  stopping: {
    start: 'restarting',
    stop: 'stopping',
    restart: 'restarting',
    ready: 'stopping',
    absent: 'stopping',
    ended: 'off',
    endedLate: 'off',
    overdue: 'failed',
  },
  restarting: {
    start: 'restarting',
    stop: 'stopping',
    restart: 'restarting',
    ready: 'restarting',
    absent: 'restarting',
    ended: 'starting launch',
    endedLate: 'starting launch',
    overdue: 'failed',
  },
  failed: {
    start: 'starting launch',
    stop: 'off',
    restart: 'starting launch',
    ready: 'failed',
    absent: 'failed',
    ended: 'failed',
    endedLate: 'failed',
    overdue: 'failed',
  },
};

describe('The local service', () => {
  const cells = Object.entries(table).flatMap(([from, row]) =>
    Object.entries(row).map(([event, to]) => [from, event, to] as const),
  );

  test.each(cells)('%s, then %s: %s', (from, event, cell) => {
    const [to, wanted] = cell.split(' ');
    const { state, effect } = step(states[from as StateName], events[event as EventName]);
    const expected = states[to as StateName];
    // The sentence of a failure is not compared.
    expect(state.kind === 'failed' ? { ...state, sentence: 'Why.' } : state).toEqual(expected);
    expect(effect).toBe(wanted);
  });
});
