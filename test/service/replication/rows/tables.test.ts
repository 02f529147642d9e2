import { describe, expect, test } from 'vitest';
import { resolveTable } from '../../../../server/service/replication/rows/tables.ts';
import type { TableInfo } from '../../../../server/service/replication/source.ts';
import type { StoredTable } from '../../../../server/service/storage/storage.ts';
import { tableId } from '../../../support/service/sourceIds.ts';

const todos: StoredTable = {
  id: 1,
  sourceId: tableId(100),
  schema: 'public',
  name: 'todos',
  identityKind: 'default',
  copied: true,
  identity: [{ name: 'id', type: 'uuid' }],
};
const lists: StoredTable = { ...todos, id: 2, sourceId: tableId(200), name: 'lists' };
const stored = [todos, lists];

describe('a table of the source', () => {
  test.each<[string, Partial<TableInfo>, number | undefined, number[]]>([
    ['is the stored one', {}, 1, []],
    ['is another one with the same name', { sourceId: tableId(101) }, undefined, [1]],
    ['was renamed', { name: 'tasks' }, undefined, [1]],
    ['was moved to another schema', { schema: 'archive' }, undefined, [1]],
    ['has taken the name of another one', { name: 'lists' }, undefined, [1, 2]],
    ['has another key column', { identity: [{ name: 'key', type: 'uuid' }] }, undefined, [1]],
    ['has a key of another type', { identity: [{ name: 'id', type: 'text' }] }, undefined, [1]],
    [
      'has one more key column',
      { identity: [...todos.identity, { name: 'n', type: 'int4' }] },
      undefined,
      [1],
    ],
    ['is new', { sourceId: tableId(300), name: 'other' }, undefined, []],
  ])('%s', (_what, changes, reused, dropped) => {
    const resolution = resolveTable({ ...todos, ...changes }, stored);
    expect(resolution.reused?.id).toBe(reused);
    expect(resolution.dropped.map(({ id }) => id)).toEqual(dropped);
  });
});
