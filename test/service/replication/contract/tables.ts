/** Tables: those that exist, are missing or cannot be replicated, and the changes of their definitions. */

import { describe, expect, test } from 'vitest';
import { readServiceSchema } from '../../../../server/engine/index.ts';
import { describeSource } from '../../../../server/service/replication/describeSource.ts';
import { pattern } from '../postgres/support.ts';
import { prepareTable, readToMark, type SourceRig } from './rig.ts';

export function describeTables(rig: () => SourceRig): void {
  describe('tables', () => {
    test('are found by name and by wildcard, each once', async () => {
      const { source, sql } = rig();
      await sql('CREATE TABLE found_a (id int PRIMARY KEY, a text)');
      await sql('CREATE TABLE found_b (id int PRIMARY KEY)');
      const found = await source.tables([pattern('public.found_a'), pattern('public.found_%')]);
      expect(found.map(({ table, replicated }) => [table?.name, replicated])).toEqual([
        ['found_a', true],
        ['found_b', true],
      ]);
      expect(found[0]?.table?.identity.map(({ name }) => name)).toEqual(['id']);
    });

    test('that are missing are reported with a sentence, and a wildcard may match nothing', async () => {
      const { source } = rig();
      const found = await source.tables([pattern('public.absent'), pattern('public.absent_%')]);
      expect(found).toMatchObject([{ problems: [{ message: expect.stringContaining('absent') }] }]);
      expect(found[0]?.table).toBeUndefined();
      expect(found[0]?.replicated).toBe(false);
    });

    test('that cannot be replicated are not matched as tables', async () => {
      const { source, sql } = rig();
      await sql('CREATE TABLE viewed (id int PRIMARY KEY)');
      await sql('CREATE VIEW a_view AS SELECT id FROM viewed');
      const [match] = await source.tables([pattern('public.a_view')]);
      expect(match?.replicated).toBe(false);
      expect(match?.table).toBeUndefined();
      expect(match?.problems.length).toBeGreaterThan(0);
      const listed = (await source.schema()).find(({ name }) => name === source.defaultSchema);
      const form = (name: string) => listed?.tables.find((table) => table.name === name)?.form;
      expect([form('viewed'), form('a_view')]).toEqual([undefined, 'view']);
    });

    test('of the default schema are listed with their columns and references', async () => {
      const { source, sql } = rig();
      await sql('CREATE TABLE parent (id int PRIMARY KEY)');
      await sql(
        'CREATE TABLE child (id int PRIMARY KEY, parent int, FOREIGN KEY (parent) REFERENCES parent (id))',
      );
      const listed = (await source.schema()).find(({ name }) => name === source.defaultSchema);
      const child = listed?.tables.find(({ name }) => name === 'child');
      expect(child?.columns).toMatchObject([
        { name: 'id', sqliteType: 4 },
        { name: 'parent', references: { schema: source.defaultSchema, table: 'parent', column: 'id' } },
      ]);
    });

    test('of the default schema are listed with everything that decides which rows they can have', async () => {
      const { source, sql } = rig();
      await sql("CREATE TYPE mood AS ENUM ('glad', 'it''s sad')");
      await sql('CREATE TABLE teams (org int, code text, PRIMARY KEY (org, code))');
      await sql(`CREATE TABLE ruled (id serial PRIMARY KEY, mood mood NOT NULL DEFAULT 'glad', kind varchar(9) CHECK (kind IN ('a', 'b''c, d')),
        size int CHECK (size > 0), open boolean DEFAULT true, twice int GENERATED ALWAYS AS (size * 2) STORED,
        org int, code text, FOREIGN KEY (code, org) REFERENCES teams (code, org) ON DELETE SET NULL)`);
      await sql('CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$');
      await sql(
        'CREATE TRIGGER touch BEFORE INSERT OR UPDATE ON ruled FOR EACH ROW EXECUTE FUNCTION touch()',
      );
      const { id, tag, defaultSchema } = source;
      const answer = describeSource({ id, tag, defaultSchema }, await source.schema());
      const known = readServiceSchema(JSON.parse(JSON.stringify(answer)))?.catalog.tables;
      const ruled = known?.find(({ name }) => name === 'ruled');
      const facts = [...(ruled?.columns.values() ?? [])].map(
        ({ name, nullable, default: filled, values }) => [name, nullable, filled, values],
      );
      expect(facts).toEqual([
        ['id', false, 'computed', undefined],
        ['mood', false, { constant: 'glad' }, ['glad', "it's sad"]],
        ['kind', true, undefined, ['a', "b'c, d"]],
        ['size', true, undefined, undefined],
        ['open', true, { constant: 'true' }, undefined],
        ['twice', true, 'computed', undefined],
        ['org', true, undefined, undefined],
        ['code', true, undefined, undefined],
      ]);
      const keys = [
        {
          schema: defaultSchema,
          table: 'teams',
          columns: ['code', 'org'],
          parentColumns: ['code', 'org'],
          onDelete: 'set null',
        },
      ];
      expect(ruled).toMatchObject({
        keys,
        triggers: [{ name: 'touch', events: ['insert', 'update'], fills: 'any' }],
      });
      expect(known?.find(({ name }) => name === 'teams')).not.toHaveProperty('triggers');
      expect(known?.some(({ areRulesUnknown }) => areRulesUnknown)).toBe(false);
    });

    test('are measured approximately', async () => {
      const { source, sql, table: find } = rig();
      const { table } = await prepareTable(rig());
      const rows = Array.from({ length: 100 }, (_, id) => `(${id}, 'x')`);
      await sql(`INSERT INTO ${table} VALUES ${rows.join(', ')}`);
      const measure = await source.measure(await find(table));
      expect(measure.rows).toBeGreaterThan(0);
      expect(measure.bytesPerRow).toBeGreaterThan(0);
    });
  });

  describe('the shape of a table', () => {
    test('stays the same while only its rows change', async () => {
      const { source, sql, table: find } = rig();
      const { table } = await prepareTable(rig());
      const { sourceId } = await find(table);
      const before = await source.shape(sourceId);
      expect(before).toBeDefined();
      await sql(`INSERT INTO ${table} VALUES (1, 'x')`);
      expect(await source.shape(sourceId)).toEqual(before);
    });

    test('distinguishes a column from another one of the same name', async () => {
      const { source, sql, table: find } = rig();
      const { table } = await prepareTable(rig());
      const { sourceId } = await find(table);
      const before = await source.shape(sourceId);
      await sql(`ALTER TABLE ${table} DROP COLUMN a`);
      await sql(`ALTER TABLE ${table} ADD COLUMN a text`);
      const after = await source.shape(sourceId);
      expect(after?.columns.id).toBe(before?.columns.id);
      expect(after?.columns.a).not.toBe(before?.columns.a);
    });

    test('is unknown once the table is dropped, and another table of the same name has another identity', async () => {
      const { source, sql, table: find } = rig();
      const { table } = await prepareTable(rig());
      const { sourceId } = await find(table);
      await sql(`DROP TABLE ${table}`);
      await sql(`CREATE TABLE ${table} (id int PRIMARY KEY)`);
      expect(await source.shape(sourceId)).toBeUndefined();
      expect((await find(table)).sourceId).not.toBe(sourceId);
    });
  });

  describe('a definition', () => {
    test('precedes the first change of its table', async () => {
      const { source, sql, table: find } = rig();
      const { table, stream } = await prepareTable(rig());
      const { sourceId } = await find(table);
      await sql(`INSERT INTO ${table} VALUES (1, 'x')`);
      const events = await readToMark(source, stream);
      const described = events.findIndex(
        (event) => event.kind === 'table' && event.table.sourceId === sourceId,
      );
      expect(described).toBeGreaterThanOrEqual(0);
      expect(described).toBeLessThan(events.findIndex(({ kind }) => kind === 'insert'));
    });

    test('that changes is sent before the next change of a row', async () => {
      const { source, sql, table: find } = rig();
      const { table, stream } = await prepareTable(rig());
      const { sourceId } = await find(table);
      await sql(`INSERT INTO ${table} VALUES (1, 'x')`);
      await sql(`ALTER TABLE ${table} ADD COLUMN b int`);
      await sql(`INSERT INTO ${table} VALUES (2, 'y', 5)`);
      const sent = (await readToMark(source, stream)).flatMap((event): readonly unknown[] => {
        if (event.kind === 'table') return event.table.sourceId === sourceId ? ['table'] : [];
        return event.kind === 'insert' ? [event.row.values] : [];
      });
      const last = sent.at(-1);
      expect(last).toEqual({ id: 2n, a: 'y', b: 5n });
      expect(sent.at(-2)).toBe('table');
    });

    test('with another key changes the identity of rows', async () => {
      const { source, sql } = rig();
      const { table, stream } = await prepareTable(rig(), 'id int PRIMARY KEY, a int NOT NULL');
      await sql(`INSERT INTO ${table} VALUES (1, 7)`);
      await sql(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey`);
      await sql(`ALTER TABLE ${table} ADD PRIMARY KEY (a, id)`);
      await sql(`INSERT INTO ${table} VALUES (2, 8)`);
      const tables = (await readToMark(source, stream)).flatMap((event) =>
        event.kind === 'table' && event.table.name === table ? [event.table] : [],
      );
      const keys = tables.at(-1)?.identity.map(({ name }) => name) ?? [];
      expect(keys.toSorted()).toEqual(['a', 'id']);
    });
  });
}
