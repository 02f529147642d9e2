import { describe, expect, test } from 'vitest';
import {
  asAdopted,
  asCopied,
  isFromBefore,
  isOtherInLog,
  reasonText,
  shapeChanges,
} from '../../../../server/service/replication/rows/tableShape.ts';
import type { ColumnShape, TableShape } from '../../../../server/service/storage/storage.ts';
import { columnIds } from '../../../support/service/sourceIds.ts';

const text: ColumnShape = {
  displayType: 'text',
  changedBy: '700',
  isFilled: false,
  facts: { type: '25', generated: null, 'label 1': 'sad 700' },
};
const loot: TableShape = {
  membership: 'p',
  columns: columnIds({ id: 1, v: 2 }),
  details: { id: text, v: text },
  file: 10,
};
const withV = (v: Partial<ColumnShape>, table: Partial<TableShape> = {}): TableShape => ({
  ...loot,
  ...table,
  details: { id: text, v: { ...text, ...v } },
});
const withX = (x: Partial<ColumnShape>, table: Partial<TableShape> = {}): TableShape => ({
  ...loot,
  ...table,
  columns: columnIds({ ...loot.columns, x: 3 }),
  details: { ...loot.details, x: { ...text, ...x } },
});

describe('the reasons to copy a table again', () => {
  test.each<[string, TableShape, string | undefined]>([
    ['that is the same', loot, undefined],
    ['whose column is NOT NULL, or longer', withV({ changedBy: '701', displayType: 'varchar' }), undefined],
    ['that was vacuumed, clustered or truncated', { ...loot, file: 11 }, undefined],
    ['with a new column without a value', withX({}), undefined],
    ['with a new label', withV({ facts: { ...text.facts, 'label 2': 'calm 701' } }), undefined],
    [
      'with a new column that has a value',
      withX({ isFilled: true }),
      '"x" was added, and existing rows have a value for it',
    ],
    [
      'that was rewritten with a new column',
      withX({}, { file: 11 }),
      '"x" was added, and existing rows have a value for it',
    ],
    [
      'with a column of another type',
      withV({ displayType: 'integer', facts: { ...text.facts, type: '23' } }),
      '"v" changed from text to integer',
    ],
    [
      'with a renamed label',
      withV({ facts: { ...text.facts, 'label 1': 'blue 701' } }),
      'the values of "v" have other names or fields',
    ],
    [
      'with another expression of a generated column',
      withV({ facts: { ...text.facts, generated: 'x' } }),
      'the values of "v" have other names or fields',
    ],
    [
      'with rewritten values',
      withV({ changedBy: '701' }, { file: 11 }),
      'the values of "v" may have been rewritten',
    ],
    ['without a column', { ...loot, columns: columnIds({ id: 1 }) }, '"v" was dropped'],
    ['with a renamed column', { ...loot, columns: columnIds({ id: 1, w: 2 }) }, '"v" was renamed to "w"'],
    [
      'with another column of that name',
      { ...loot, columns: columnIds({ id: 1, v: 3 }) },
      '"v" was dropped and added again',
    ],
    [
      'that was not published for a while',
      { ...loot, membership: 'q' },
      'its changes were not published for some time, or were published differently',
    ],
  ])('for a table %s', (_, now, reason) => {
    const changes = shapeChanges(loot, now);
    expect(changes.map(reasonText)).toEqual(reason === undefined ? [] : [reason]);
  });

  test('do not include properties that an earlier release has not stored', () => {
    const { membership, columns } = loot;
    expect(shapeChanges({ membership, columns }, withX({}, { file: 11 }))).toEqual([]);
    expect(shapeChanges(undefined, loot)).toEqual([]);
  });
});

describe('rows of the log', () => {
  const id = { name: 'id', type: 25 };
  test.each([
    ['with the stored columns match', [id, { name: 'v', type: 25 }], false],
    ['with fewer columns, such as the published ones, match', [id], false],
    ['with a column that no longer exists do not match', [id, { name: 'w', type: 25 }], true],
    ['with a type that no longer exists do not match', [id, { name: 'v', type: 23 }], true],
  ])('%s', (_, columns, isOther) =>
    expect(isOtherInLog({ columns, transaction: 700 }, loot, loot)).toBe(isOther),
  );

  const published = { ...withX({}), published: ['id', 'v', 'x'] };
  const [v, x] = ['v', 'x'].map((name) => ({ name, type: 25 }));
  test.each([
    ['all published columns match', [id, v, x], published, false],
    [
      'all columns but one of the copy do not match, because that one was added later',
      [id, v],
      published,
      true,
    ],
    [
      'two columns in the other order do not match, because their names were swapped later',
      [id, x, v],
      published,
      true,
    ],
    [
      'all columns but one that is no longer published match',
      [id, v],
      { ...published, published: ['id', 'v'] },
      false,
    ],
    ['one more column, which is new, match', [id, v, x], { ...loot, published: ['id', 'v'] }, false],
  ] as const)('with %s', (_, columns, stored, isOther) =>
    expect(isOtherInLog({ columns: columns as never, transaction: 700 }, stored, published)).toBe(isOther),
  );

  test.each([
    [
      'of the transaction that last changed the definition are not from before that change',
      700,
      '700',
      false,
    ],
    ['of a later transaction are not from before the change', 701, '700', false],
    ['of an earlier transaction are from before the change', 699, '700', true],
    [
      'of an earlier transaction are from before the change, even if numbers have started again',
      2 ** 32 - 1,
      '3',
      true,
    ],
    [
      'of a transaction so much earlier that its number counts as a later one are not from before the change',
      2 ** 31,
      '700',
      false,
    ],
  ] as const)('%s', (_, transaction, changedBy, isLater) =>
    expect(
      isFromBefore({ columns: [id], transaction }, asCopied({ ...withV({ changedBy }), published: [] })),
    ).toBe(isLater),
  );

  test('from before a change without effect on copied rows still match', () => {
    const copied = asCopied({ ...loot, published: [] });
    const adopted = asAdopted({ ...withV({ changedBy: '900' }), published: [] }, copied);
    expect(adopted.details?.v?.changedBy).toBe('900');
    expect(isFromBefore({ columns: [id], transaction: 800 }, adopted)).toBe(false);
    const added = { ...withX({}), published: ['id', 'v', 'x'] };
    const before = { columns: [id, { name: 'v', type: 25 }], transaction: 800 };
    const wide = asAdopted(added, { ...copied, published: ['id', 'v'] });
    expect(isOtherInLog(before, wide, added)).toBe(false);
    expect(asAdopted(added, wide)).toEqual(wide);
  });

  test('of a source whose log has no definitions are never from before a change', () => {
    expect(isFromBefore(undefined, loot)).toBe(false);
    expect(isFromBefore({ columns: [id], transaction: 1 }, undefined)).toBe(false);
    expect(asCopied(loot)).toBe(loot);
  });
});
