/** The charts: one lane for each number, all on the same time axis. */
import type { Second } from '../../api/watch.ts';
import { sizeText } from '../../health/amounts.ts';
import { durationText, numberText } from '../parts/amounts.ts';

interface Lane {
  readonly id: string;
  readonly title: string;
  /** Returns the value. Undefined if it was unknown. */
  readonly valueIn: (second: Second) => number | undefined;
  readonly text: (value: number) => string;
}

export const lanes: readonly Lane[] = [
  {
    id: 'lag',
    title: 'Lag',
    valueIn: ({ lag }) => lag,
    text: (seconds) => durationText(seconds * 1_000),
  },
  { id: 'rows', title: 'Rows in', valueIn: ({ rows }) => rows, text: perSecond },
  { id: 'operations', title: 'Operations out', valueIn: ({ operations }) => operations, text: perSecond },
  { id: 'clients', title: 'Clients', valueIn: ({ clients }) => clients, text: numberText },
  { id: 'storage', title: 'Storage', valueIn: ({ storage }) => storage, text: sizeText },
  { id: 'memory', title: 'Memory', valueIn: ({ memory }) => memory, text: sizeText },
];

function perSecond(value: number): string {
  return `${numberText(value)}/s`;
}

interface LaneData {
  /** The times in seconds since 1970. A time without values breaks the line. */
  readonly times: readonly number[];
  /** The values in the order of {@link lanes}. */
  readonly values: readonly (readonly (number | null)[])[];
}

/** The maximum time without a value, in milliseconds. A longer gap breaks the line. */
const longestGap = 5_000;

/** @param from the beginning of the axis, in milliseconds since 1970 */
export function laneData(seconds: readonly Second[], from: number): LaneData {
  const times: number[] = [];
  const values: (number | null)[][] = lanes.map(() => []);
  let before: number | undefined;
  for (const second of seconds) {
    if (second.at < from) continue;
    if (before !== undefined && second.at - before > longestGap) {
      times.push((before + 1_000) / 1_000);
      for (const list of values) list.push(null);
    }
    times.push(second.at / 1_000);
    for (const [index, { valueIn }] of lanes.entries()) values[index]?.push(valueIn(second) ?? null);
    before = second.at;
  }
  return { times, values };
}

interface LaneSummary {
  /** The latest value. A value before a gap does not count. */
  readonly now: string;
  readonly most: string;
}

export function summarize({ text }: Lane, values: readonly (number | null)[]): LaneSummary {
  const known = values.filter((value) => value !== null);
  const now = values.at(-1);
  return {
    now: typeof now === 'number' ? text(now) : 'unknown',
    most: known.length === 0 ? '' : text(known.reduce((one, other) => Math.max(one, other), 0)),
  };
}

/** One row of the table with the same data as the charts. */
export interface Minute {
  readonly at: number;
  /** The largest value of each lane in that minute. */
  readonly most: readonly (number | undefined)[];
}

/** Returns the minutes, newest first. */
export function minutesOf({ times, values }: LaneData): readonly Minute[] {
  const minutes = new Map<number, (number | undefined)[]>();
  for (const [index, time] of times.entries()) {
    const minute = Math.floor(time / 60) * 60_000;
    const most = minutes.get(minute) ?? lanes.map(() => undefined);
    for (const [lane, list] of values.entries()) {
      const value = list[index];
      if (value !== null && value !== undefined) most[lane] = Math.max(most[lane] ?? 0, value);
    }
    minutes.set(minute, most);
  }
  return [...minutes].map(([at, most]) => ({ at, most })).reverse();
}
