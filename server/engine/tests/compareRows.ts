/** Which rows users gain and lose by a change of a config, over rows that are given. */
import type { Config } from '../file/sync.ts';
import { type Asking, deviceOf } from './device.ts';
import { type TestedRow, toRowIndex } from './rowIndex.ts';
import { toTestSubject } from './subject.ts';

interface UserRows {
  readonly user: string;
  readonly asking: Asking;
}

export interface RowDifference {
  readonly kind: 'gained' | 'lost';
  readonly table: string;
  /** Counted for each user. */
  readonly count: number;
  readonly examples: readonly { readonly user: string; readonly id: string }[];
}

/** More of one kind would not be read. */
const mostExamples = 3;

export function compareRows(
  before: Config,
  after: Config,
  rows: readonly TestedRow[],
  users: readonly UserRows[],
): readonly RowDifference[] {
  const [old, now] = [before, after].map((config) => {
    const subject = toTestSubject(config);
    const index = toRowIndex(rows, subject);
    return users.map(({ asking }) => deviceOf(subject, index, asking).tables);
  });
  const changes = new Map<string, { -readonly [K in keyof RowDifference]: RowDifference[K] }>();
  const add = (kind: RowDifference['kind'], table: string, user: string, id: string): void => {
    const key = `${kind} ${table}`;
    const known = changes.get(key) ?? { kind, table, count: 0, examples: [] };
    known.count += 1;
    if (known.examples.length < mostExamples) known.examples = [...known.examples, { user, id }];
    changes.set(key, known);
  };
  users.forEach(({ user }, index) => {
    const [had, has] = [old?.[index], now?.[index]];
    for (const [table, found] of has ?? [])
      for (const id of found.keys()) if (!had?.get(table)?.has(id)) add('gained', table, user, id);
    for (const [table, found] of had ?? [])
      for (const id of found.keys()) if (!has?.get(table)?.has(id)) add('lost', table, user, id);
  });
  return [...changes.values()].sort((a, b) => (a.kind === b.kind ? 0 : a.kind === 'gained' ? -1 : 1));
}
