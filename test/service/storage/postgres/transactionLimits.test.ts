import { expect, test } from 'vitest';
import { partsOf } from '../../../../server/service/storage/postgres/writer/transactionLimits.ts';
import type { RowWrite, WriteBatch } from '../../../../server/service/storage/storage.ts';

/** A row whose stored values have this many bytes. */
function row(bytes: number): RowWrite {
  return { current: { values: { length: bytes } }, ops: [] } as unknown as RowWrite;
}

const progress = { id: 1 } as unknown as NonNullable<WriteBatch['progress']>;
const last = { position: '0/1' } as unknown as NonNullable<WriteBatch['last']>;
const limits = { maxRecordCount: 3, maxEstimatedSize: 100 };

/** The sizes of the rows of each part. */
function drawn(sizes: readonly number[]): string {
  const parts = partsOf({ rows: sizes.map(row) }, limits);
  return parts.map(({ rows }) => rows.map(({ current }) => current?.values?.length).join(' ')).join(' | ');
}

test.each([
  [[1, 2, 3], '1 2 3'],
  [[1, 2, 3, 4], '1 2 3 | 4'],
  [[50, 50], '50 50'],
  [[50, 51], '50 | 51'],
  [[500, 1], '500 | 1'],
  [[1, 500, 1], '1 | 500 | 1'],
  [[60, 30, 20, 80], '60 30 | 20 80'],
  [[], ''],
])('Rows of %j bytes are written as %s', (sizes, parts) => expect(drawn(sizes)).toBe(parts));

test('Only the last part stores the progress of the table, and each stores the last event', () => {
  const parts = partsOf({ rows: [row(1), row(1), row(1), row(1)], progress, last }, limits);
  expect(parts.map(({ rows, ...more }) => more)).toStrictEqual([{ last }, { progress, last }]);
});

test('A batch without rows is one part with its progress', () => {
  expect(partsOf({ rows: [], progress }, limits)).toStrictEqual([{ rows: [], progress }]);
});

test('A part contains no progress and no event if the batch has none', () => {
  expect(partsOf({ rows: [] }, limits)).toStrictEqual([{ rows: [] }]);
});
