import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgresSource } from '../../../../server/service/replication/postgres/source.ts';
import type {
  MatchedTable,
  SourceProblem,
  TableInfo,
} from '../../../../server/service/replication/source.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../../support/processes/postgres.ts';
import { neverAborted, openDatabase, pattern, type TestDatabase, world } from './support.ts';

const setup = `
CREATE TABLE todos (id uuid PRIMARY KEY);
CREATE TABLE todos_2024 (id uuid PRIMARY KEY);
CREATE TABLE "Todos_odd" (id uuid PRIMARY KEY);
CREATE UNLOGGED TABLE todos_unlogged (id uuid PRIMARY KEY);
CREATE VIEW todos_view AS SELECT * FROM todos;
CREATE MATERIALIZED VIEW todos_kept AS SELECT * FROM todos;
CREATE TABLE measures (id int, day date, PRIMARY KEY (day, id)) PARTITION BY RANGE (day);
CREATE TABLE measures_2024 PARTITION OF measures FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
CREATE SCHEMA tenant_1; CREATE TABLE tenant_1.todos (id int PRIMARY KEY);
CREATE SCHEMA tenant_2; CREATE TABLE tenant_2.todos (id int PRIMARY KEY);
CREATE TABLE keyless (n int);
CREATE TABLE deferred (id int PRIMARY KEY DEFERRABLE);
CREATE TABLE indexless (n int NOT NULL);
CREATE UNIQUE INDEX gone ON indexless (n); ALTER TABLE indexless REPLICA IDENTITY USING INDEX gone; DROP INDEX gone;
CREATE TABLE by_index (b text NOT NULL, n int, a int NOT NULL);
CREATE UNIQUE INDEX chosen ON by_index (a, b) INCLUDE (n); ALTER TABLE by_index REPLICA IDENTITY USING INDEX chosen;
CREATE TABLE whole (a int, b text[], c text GENERATED ALWAYS AS ('x') STORED); ALTER TABLE whole REPLICA IDENTITY FULL;
CREATE TABLE unnamed (id int PRIMARY KEY); ALTER TABLE unnamed REPLICA IDENTITY NOTHING;
CREATE TABLE "Ünlisted ""1""" (id int PRIMARY KEY);
CREATE TABLE secured (id int PRIMARY KEY); ALTER TABLE secured ENABLE ROW LEVEL SECURITY;
CREATE TABLE secret (id int PRIMARY KEY);
INSERT INTO todos SELECT gen_random_uuid() FROM generate_series(1, 50); ANALYZE todos;
DROP PUBLICATION powersync;
CREATE PUBLICATION powersync FOR TABLE todos, todos_2024, "Todos_odd", measures, tenant_1.todos, tenant_2.todos,
  keyless, indexless, by_index, whole, unnamed, secured, secret;
`;

describe.skipIf(postgresPrograms.kind === 'missing')('tables of Postgres', () => {
  let postgres: TestPostgres;
  let database: TestDatabase;

  beforeAll(async () => {
    postgres = await startPostgres();
    database = await openDatabase(postgres, setup);
  });

  afterAll(async () => {
    await database.close();
    await postgres.stop();
  });

  const match = (...patterns: string[]) => database.source.tables(patterns.map((text) => pattern(text)));
  const namesOf = (matches: readonly MatchedTable[]) =>
    matches.map(({ table }) => (table === undefined ? 'none' : `${table.schema}.${table.name}`));
  const problemsOf = async (name: string): Promise<readonly SourceProblem[]> =>
    (await match(`public.${name}`))[0]?.problems ?? [];

  test('match by their exact name', async () => {
    const [todos, ...others] = await match('public.todos');
    expect(others).toEqual([]);
    expect(todos).toEqual({
      pattern: pattern('public.todos'),
      table: {
        sourceId: expect.any(Number),
        schema: 'public',
        name: 'todos',
        identity: [{ name: 'id', type: 'uuid' }],
        identityKind: 'default',
        estimatedRows: 50,
        shape: {
          membership: expect.stringMatching(/ t\d+$/),
          columns: { id: 1 },
          published: ['id'],
          details: { id: expect.objectContaining({ displayType: 'uuid', isFilled: false }) },
          file: expect.any(Number),
        },
      },
      problems: [],
      replicated: true,
    });
  });

  test('match by the beginning of their names, if they are ordinary tables', async () => {
    expect(namesOf(await match('public.todos%'))).toEqual(['public.todos', 'public.todos_2024']);
    expect(namesOf(await match('public.Todos%'))).toEqual(['public.Todos_odd']);
  });

  test('match by the beginning of their schemas, except those of Postgres itself', async () => {
    expect(namesOf(await match('tenant_%.todos'))).toEqual(['tenant_1.todos', 'tenant_2.todos']);
    expect(namesOf(await match('%.pg_class'))).toEqual([]);
  });

  test('that are partitioned do not match, but their partitions do', async () => {
    expect(namesOf(await match('public.measures%'))).toEqual(['public.measures_2024']);
    expect((await match('public.measures'))[0]?.problems).toEqual([
      {
        level: 'warning',
        kind: 'missing',
        message:
          'Table "public"."measures" not found. There is a partitioned table with this name, which is not replicated.',
      },
    ]);
  });

  test('match once, however many patterns they match', async () => {
    const matches = await match('public.todos', 'public.todos%', 'public.todos');
    expect(namesOf(matches)).toEqual(['public.todos', 'public.todos_2024']);
    expect(matches[0]?.pattern).toEqual(pattern('public.todos'));
  });

  test('that do not exist are reported by name, but wildcards without a match are not', async () => {
    expect(await match('public.none', 'public.none%', 'none%.todos')).toEqual([
      {
        pattern: pattern('public.none'),
        problems: [{ level: 'warning', kind: 'missing', message: 'Table "public"."none" not found.' }],
        replicated: false,
      },
    ]);
  });

  test('of other connections are ignored', async () => {
    expect(await database.source.tables([pattern('public.todos', 'other')])).toEqual([]);
  });

  test('have the same identity as in Postgres, in the order of their columns', async () => {
    const identity = async (name: string) => {
      const table = await database.table(name);
      return [table.identityKind, ...table.identity.map((column) => `${column.name} ${column.type}`)];
    };
    expect(await identity('measures_2024')).toEqual(['default', 'id int4', 'day date']);
    expect(await identity('by_index')).toEqual(['index', 'b text', 'a int4']);
    expect(await identity('whole')).toEqual(['full', 'a int4', 'b _text']);
    expect(await identity('unnamed')).toEqual(['nothing']);
  });

  test('have the same identity in the log', async () => {
    const stream = database.stream({ slot: 'powersync_identity' });
    await stream.prepare(neverAborted);
    await database.sql(`INSERT INTO measures VALUES (1, '2024-05-05'); INSERT INTO by_index VALUES ('a', 1, 2);
      INSERT INTO whole VALUES (1, '{}'); INSERT INTO unnamed VALUES (1); INSERT INTO todos VALUES (gen_random_uuid())`);
    const seen = new Map<string, unknown>();
    for await (const { events } of stream.changes(new AbortController().signal)) {
      for (const event of events) if (event.kind === 'table') seen.set(event.table.name, event.table);
      if (events.some(({ kind }) => kind === 'commit')) break;
    }
    for (const name of ['measures_2024', 'by_index', 'whole', 'unnamed', 'todos']) {
      const { estimatedRows: _, shape: __, ...table } = await database.table(name);
      const { logged: ___, ...described } = seen.get(name) as Partial<TableInfo>;
      expect(described).toEqual(table);
    }
    await database.source.dropBacklog('powersync_identity');
  });

  test('without an identity are reported with a remedy, unless their replica identity is nothing', async () => {
    expect(await problemsOf('keyless')).toEqual([
      {
        level: 'fatal',
        message:
          'No replication id found for "public"."keyless": its replica identity is default, and it has no primary key. Add a primary key, or run: ALTER TABLE "public"."keyless" REPLICA IDENTITY FULL;',
      },
    ]);
    expect((await problemsOf('deferred'))[0]?.message).toContain(
      'its primary key is deferrable. Add a primary key that is not deferrable, or run: ',
    );
    expect((await problemsOf('indexless'))[0]?.message).toContain('its replica identity is index');
    expect(await problemsOf('unnamed')).toEqual([]);
  });

  test('outside the publication are reported with the statement that adds them', async () => {
    const [found] = await match('public.Ünlisted "1"');
    expect(found?.replicated).toBe(false);
    expect(found?.problems).toEqual([
      {
        level: 'fatal',
        message: `Table "public"."Ünlisted ""1""" is not part of publication 'powersync'. Run: ALTER PUBLICATION powersync ADD TABLE "public"."Ünlisted ""1""";`,
      },
    ]);
  });

  test('have the columns of the log, in the same order', async () => {
    const columns = `(c text, id int PRIMARY KEY, gone text, b text, g text GENERATED ALWAYS AS (c) STORED)`;
    const other = await openDatabase(
      postgres,
      `CREATE TABLE plain ${columns}; CREATE TABLE listed ${columns};
       ALTER TABLE plain DROP COLUMN gone; ALTER TABLE plain RENAME COLUMN b TO a; ALTER TABLE plain ADD COLUMN gone int;
       DROP PUBLICATION powersync; CREATE PUBLICATION powersync FOR TABLE plain, listed (id, b);`,
    );
    const stream = other.stream({ slot: 'powersync_published' });
    await stream.prepare(neverAborted);
    await other.sql(`INSERT INTO plain VALUES ('c', 1); INSERT INTO listed VALUES ('c', 1);`);
    const seen = new Map<string, readonly string[] | undefined>();
    for await (const { events } of stream.changes(new AbortController().signal)) {
      for (const event of events)
        if (event.kind === 'table')
          seen.set(
            event.table.name,
            event.table.logged?.columns.map(({ name }) => name),
          );
      if (seen.size === 2) break;
    }
    expect(Object.fromEntries(seen)).toEqual({ plain: ['c', 'id', 'a', 'gone'], listed: ['id', 'b'] });
    for (const [name, logged] of seen) expect((await other.table(name)).shape?.published).toEqual(logged);
    await other.source.dropBacklog('powersync_published');
    await other.close();
  });

  test('without a publication are reported with one statement that creates it for all of them', async () => {
    const bare = await openDatabase(
      postgres,
      'CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b (id int PRIMARY KEY); DROP PUBLICATION powersync;',
    );
    const found = await bare.source.tables([pattern('public.a'), pattern('public.b')]);
    await bare.close();
    const remedy = 'CREATE PUBLICATION powersync FOR TABLE "public"."a", "public"."b";';
    expect(found.flatMap(({ problems }) => problems.map(({ message }) => message))).toEqual(
      ['a', 'b'].map(
        (name) =>
          `Table "public"."${name}" is not part of publication 'powersync', which does not exist. Run: ${remedy}`,
      ),
    );
  });

  test('with generated columns are reported, because those are not replicated', async (context) => {
    if (postgres.major >= 18) return context.skip();
    expect(await problemsOf('whole')).toEqual([
      {
        level: 'warning',
        message: expect.stringContaining('[SVC_S1148] "public"."whole" has no primary key'),
      },
      {
        level: 'warning',
        message: 'Generated columns are not replicated, so they are not synced: "c" of "public"."whole".',
      },
    ]);
  });

  test('that the user may not read, or only in part, are reported', async () => {
    await postgres.query(
      `CREATE ROLE limited LOGIN PASSWORD 'limited secret';
       GRANT SELECT ON todos, secured TO limited`,
      undefined,
      database.name,
    );
    const limited = { database: database.name, username: 'limited', password: 'limited secret' };
    const source = await openPostgresSource(postgres.connection(limited), world);
    const matches = await source.tables(
      ['secret', 'secured', 'todos'].map((name) => pattern(`public.${name}`)),
    );
    await source.close();
    expect(matches.map(({ table, problems }) => [table?.name, ...problems])).toEqual([
      [
        'secret',
        {
          level: 'fatal',
          code: 'SVC_S1165',
          message: expect.stringContaining('may not read "public"."secret"'),
        },
      ],
      [
        'secured',
        {
          level: 'fatal',
          code: 'SVC_S1145',
          message: expect.stringMatching(/^\[SVC_S1145\] .*ALTER ROLE "limited" BYPASSRLS;$/),
        },
      ],
      ['todos'],
    ]);
    // The initial user of the server sees everything.
    expect(await problemsOf('secured')).toEqual([]);
  });

  test('are listed with their columns', async () => {
    await database.sql(`CREATE SCHEMA listed; CREATE TYPE listed.mood AS ENUM ('a');
      CREATE DOMAIN listed.amount AS float8; CREATE TABLE listed.nothing ();
      CREATE TABLE listed.kinds (id uuid, n int2, big int8, flag bool, f float4, d listed.amount, m listed.mood,
        name varchar(255), names varchar(255)[], body bytea, price numeric(10,2), at timestamptz, doc jsonb)`);
    const schemas = await database.source.schema();
    expect(schemas.map(({ name }) => name)).toEqual(['listed', 'public', 'tenant_1', 'tenant_2']);
    const [kinds, nothing] = schemas[0]?.tables ?? [];
    expect(nothing).toEqual({ name: 'nothing', columns: [], rowSecurity: false, keys: [], triggers: [] });
    const secured = schemas.flatMap(({ tables }) => tables.filter(({ rowSecurity }) => rowSecurity));
    expect(secured.map(({ name }) => name)).toEqual(['secured']);
    const drawn = kinds?.columns.map(
      ({ name, displayType, shortType, sqliteType }) =>
        `${name}: ${displayType}, ${shortType}, ${sqliteType}`,
    );
    expect(drawn).toEqual([
      'id: uuid, uuid, 2',
      'n: smallint, int2, 4',
      'big: bigint, int8, 4',
      'flag: boolean, bool, 4',
      'f: real, float4, 8',
      'd: listed.amount, amount, 8',
      'm: listed.mood, mood, 2',
      'name: character varying(255), varchar, 2',
      'names: character varying(255)[], varchar[], 2',
      'body: bytea, bytea, 1',
      'price: numeric(10,2), numeric, 2',
      'at: timestamp with time zone, timestamptz, 2',
      'doc: jsonb, jsonb, 2',
    ]);
  });

  test('are listed with the foreign keys of single columns', async () => {
    await database.sql(`CREATE SCHEMA keyed; CREATE TABLE keyed.users (id uuid PRIMARY KEY, a int, b int, UNIQUE (a, b));
      CREATE TABLE keyed.lists (id uuid PRIMARY KEY, owner uuid REFERENCES keyed.users (id) REFERENCES todos (id), a int, b int,
        FOREIGN KEY (a, b) REFERENCES keyed.users (a, b))`);
    const schemas = await database.source.schema();
    const lists = schemas.find(({ name }) => name === 'keyed')?.tables.find(({ name }) => name === 'lists');
    const references = { schema: 'keyed', table: 'users', column: 'id', onDelete: 'refuse' };
    expect(lists?.columns.map((column) => column.references)).toEqual([
      undefined,
      references,
      undefined,
      undefined,
    ]);
  });
});
