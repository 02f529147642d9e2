import { expect, test } from 'vitest';
import type { TablePattern } from '../../../../server/engine/plan/plan.ts';
import { describeSkipped } from '../../../../server/service/replication/embedded/scripts/ledger.ts';
import { explainMissing } from '../../../../server/service/replication/embedded/scripts/leftOut.ts';
import { matchTables, toTableInfo } from '../../../../server/service/replication/embedded/tables.ts';
import { missingTables } from '../../../../server/service/replication/postgres/tables.ts';
import { tableId } from '../../../support/service/sourceIds.ts';

const pattern = (name: string): TablePattern => ({
  tag: 'default',
  schema: { text: 'public', wildcard: false },
  name: { text: name, wildcard: false },
});

const column = (name: string) => ({ name, type: 'text', oid: 25 });
const lists = {
  schema: 'public',
  name: 'lists',
  identityKind: 'd',
  columns: [column('id'), column('title')],
  identity: [{ name: 'id', type: 'text', cast: 'text' }],
  types: [],
};

/** Returns the reports about `lists`, which exists with `id` and `title`, and about `places`, which does not exist. */
async function tell(...statements: readonly string[]): Promise<readonly string[]> {
  const skipped = statements.map((statement, index) =>
    describeSkipped({
      script: 'db/1.sql',
      start: index,
      line: index + 1,
      statement,
      reason: 'failed',
      code: '42704',
      message: 'no such type',
    }),
  );
  const { matches, unmatched } = matchTables(
    [pattern('lists'), pattern('places')],
    [toTableInfo(tableId(1), lists)],
    'default',
  );
  const missing = await missingTables({ all: async () => [] }, unmatched);
  const explained = explainMissing([...matches, ...missing], skipped, () => new Set(['id', 'title']));
  return explained.flatMap(({ problems }) => problems.map(({ message }) => message));
}

test('a table is missing without a reason where no statement would have made it', async () => {
  expect(await tell('CREATE TABLE others (id int)', 'GRANT ALL ON places TO x')).toEqual([
    'Table "public"."places" not found.',
  ]);
});

test.each([
  ['CREATE TABLE places (id nothing)'],
  ['create table if not exists "public"."places" (id nothing)'],
  ['ALTER TABLE spots RENAME TO places'],
])('%s explains the table', async (statement) => {
  expect(await tell(statement)).toEqual([
    'Table "public"."places" not found. The statement that creates it was left out (db/1.sql:1): no such type',
  ]);
});

test('columns are explained that are not there', async () => {
  expect(
    await tell(
      'ALTER TABLE lists ADD COLUMN title text',
      'ALTER TABLE ONLY public.lists ADD at nothing, ADD COLUMN b int',
    ),
  ).toEqual([
    'Column "at" of table "public"."lists" not found. The statement that adds it was left out (db/1.sql:2): no such type',
    'Column "b" of table "public"."lists" not found. The statement that adds it was left out (db/1.sql:2): no such type',
    'Table "public"."places" not found.',
  ]);
});
