/** The tables that are listed as replicated are those that a pattern matches, whatever the source. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestDatabase } from './postgres/support.ts';
import { sources } from './sources.ts';

const setup = `
CREATE TABLE items (id int PRIMARY KEY);
CREATE VIEW v AS SELECT id FROM items;
CREATE MATERIALIZED VIEW m AS SELECT id FROM items;
CREATE TABLE p (id int PRIMARY KEY) PARTITION BY LIST (id);
CREATE TABLE p_1 PARTITION OF p FOR VALUES IN (1);
CREATE UNLOGGED TABLE u (id int PRIMARY KEY);
`;

describe.each(sources)('%s', (_, open) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open(setup);
  });
  afterAll(() => database.close());

  test('lists what it does not replicate as such', async () => {
    const { source } = database;
    const tables = (await source.schema()).flatMap((schema) =>
      schema.name === 'public' ? schema.tables : [],
    );
    expect(
      Object.fromEntries(tables.flatMap(({ name, form }) => (form === undefined ? [] : [[name, form]]))),
    ).toMatchObject({ v: 'view', m: 'materialized view', p: 'partitioned table' });
    const matched = await source.tables(
      tables.map(({ name }) => ({
        tag: 'default',
        schema: { text: 'public', wildcard: false },
        name: { text: name, wildcard: false },
      })),
    );
    const problems = Object.fromEntries(
      matched.map(({ pattern, problems: [problem] }) => [pattern.name.text, problem?.message]),
    );
    for (const { name, form } of tables)
      if (form !== undefined)
        expect(problems[name]).toBe(
          `Table "public"."${name}" not found. There is a ${form === 'unlogged table' ? 'table that is not written to the log' : form} with this name, which is not replicated.`,
        );
    const found = matched.flatMap(({ table }) => (table === undefined ? [] : [table.name]));
    const listed = tables.flatMap(({ name, form }) => (form === undefined ? [name] : []));
    expect(found.toSorted()).toEqual(listed.toSorted());
    expect(listed).toEqual(expect.arrayContaining(['items', 'p_1']));
  });
});
