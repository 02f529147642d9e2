/** Finds the rows, among given rows, that users gain and lose by a change of the config. */
import type { Config } from '../file/sync.ts';
import { type Asking, type Device, deviceOf } from './device.ts';
import { type TestedRow, toRowIndex } from './rowIndex.ts';
import { toTestSubject } from './subject.ts';

export interface UserRows {
  readonly user: string;
  readonly asking: Asking;
}

export interface RowDifference {
  readonly kind: 'gained' | 'lost';
  /** The stream through which the rows are synced. If there are several, one of them. */
  readonly stream: string;
  readonly table: string;
  /** The number of rows, counted separately for each user. */
  readonly count: number;
  readonly examples: readonly { readonly user: string; readonly id: string }[];
}

/** The maximum number of examples of one kind. A longer list would not be read. */
const mostExamples = 3;

/** Returns the changes, gains first. */
export function compareRows(
  before: Config,
  after: Config,
  rows: readonly TestedRow[],
  users: readonly UserRows[],
): readonly RowDifference[] {
  const [had, has] = [devicesOf(before, rows, users), devicesOf(after, rows, users)];
  return [...differencesOf('gained', has, had, users), ...differencesOf('lost', had, has, users)];
}

function devicesOf(
  config: Config,
  rows: readonly TestedRow[],
  users: readonly UserRows[],
): readonly Device[] {
  const subject = toTestSubject(config);
  const index = toRowIndex(rows, subject);
  return users.map(({ asking }) => deviceOf(subject, index, asking));
}

function differencesOf(
  kind: RowDifference['kind'],
  devices: readonly Device[],
  others: readonly Device[],
  users: readonly UserRows[],
): readonly RowDifference[] {
  const found = new Map<string, RowDifference>();
  users.forEach(({ user }, index) => {
    const device = devices[index];
    for (const [table, rows] of device?.tables ?? [])
      for (const [id, { buckets }] of rows) {
        if (others[index]?.tables.get(table)?.has(id)) continue;
        const given = device?.request.buckets.find(({ bucket }) => bucket === buckets[0]);
        const stream = given?.reasons[0]?.stream ?? '';
        const key = JSON.stringify([stream, table]);
        const { count, examples } = found.get(key) ?? { count: 0, examples: [] };
        found.set(key, {
          kind,
          stream,
          table,
          count: count + 1,
          examples: examples.length < mostExamples ? [...examples, { user, id }] : examples,
        });
      }
  });
  return [...found.values()];
}
