/** Tables that cannot be copied as the log shows them: nothing is read from them, and the remedy in the message helps. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgresSource } from '../../../../server/service/replication/postgres/source.ts';
import { problemsOf } from '../../../../server/service/replication/preflight.ts';
import type { Source } from '../../../../server/service/replication/source.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../../support/processes/postgres.ts';
import { copied, failureOf, neverAborted, options, pattern, unwatched, world } from './support.ts';

const role = { username: 'reader', password: 'reader secret' };

describe.skipIf(postgresPrograms.kind === 'missing')('a table', () => {
  let postgres: TestPostgres;

  beforeAll(async () => {
    postgres = await startPostgres();
    await postgres.query(
      `CREATE ROLE staff; CREATE ROLE strangers; CREATE ROLE owner;
       CREATE ROLE reader LOGIN REPLICATION PASSWORD '${role.password}'; GRANT staff TO reader`,
    );
  });
  afterAll(() => postgres?.stop());

  /** Opens a source whose user may read `notes`, which has two rows, after the statements. */
  async function open(setup: string, columns = 'id int PRIMARY KEY, body text') {
    const database = await postgres.createDatabase();
    const sql = (text: string) => postgres.query(text, undefined, database);
    await sql(`ALTER ROLE reader NOBYPASSRLS; CREATE TABLE notes (${columns});
      INSERT INTO notes (id, body) VALUES (1, 'one'), (2, 'two'); GRANT SELECT ON notes TO reader;
      CREATE PUBLICATION powersync FOR TABLE notes; ${setup}`);
    const source = await openPostgresSource(postgres.connection({ database, ...role }), world);
    return { sql, source };
  }

  const notes = pattern('public.notes');

  async function read(source: Source): Promise<string> {
    const [match] = await source.tables([notes]);
    if (match?.table === undefined) throw new Error('There is no table');
    const stream = source.stream({ deploymentName: 'unused', patterns: [notes], options, ...unwatched });
    const pages = await copied(stream, match.table);
    const rows = pages.flatMap((page) => page.rows.map(({ id }) => String(id)));
    const again = await stream.refetch(match.table, [1n, 2n], neverAborted);
    expect(again).toHaveLength(match.table.identityKind === 'full' ? 0 : rows.length);
    return rows.join();
  }

  async function problems(source: Source) {
    const [match] = await source.tables([notes]);
    const preflight = problemsOf(await source.preflight([notes]));
    return {
      ofTable: (match?.problems ?? []).filter(({ level }) => level === 'fatal').map(({ code }) => code),
      preflight: preflight.map(({ code, level }) => `${level} ${code}`),
      statements: preflight.flatMap(({ statements = [] }) => statements),
    };
  }

  const secured = 'ALTER TABLE notes ENABLE ROW LEVEL SECURITY;';
  const shown = `${secured} CREATE POLICY shown ON notes USING (true);`;
  const generated = 'id int, body text, twice int GENERATED ALWAYS AS (id * 2) STORED';

  test.each([
    ['without a policy', secured],
    ['with a policy for some rows', `${secured} CREATE POLICY first ON notes USING (id = 1)`],
    ['with a policy for another role', `${secured} CREATE POLICY other ON notes TO strangers USING (true)`],
    ['with a policy for writing', `${secured} CREATE POLICY writing ON notes FOR UPDATE USING (true)`],
    ['with a restrictive policy', `${shown} CREATE POLICY few ON notes AS RESTRICTIVE USING (id = 1)`],
    [
      'of the user itself that forces it',
      `${secured} ALTER TABLE notes FORCE ROW LEVEL SECURITY; ALTER TABLE notes OWNER TO reader`,
    ],
  ])('with row-level security and %s is refused until its rows are visible', async (_, setup) => {
    const { source, sql } = await open(setup);
    const { statements, ...found } = await problems(source);
    expect(found).toEqual({ ofTable: ['SVC_S1145'], preflight: ['fatal SVC_S1145'] });
    expect(await failureOf(read(source))).toMatchObject({ code: 'SVC_S1145' });
    for (const statement of statements) await sql(statement);
    expect(await problems(source)).toEqual({ ofTable: [], preflight: [], statements: [] });
    expect(await read(source)).toBe('1,2');
    await source.close();
  });

  test.each([
    ['for everybody', shown],
    ['for a role of which the user is a member', `${secured} CREATE POLICY s ON notes TO staff USING (true)`],
    [
      'and a restrictive one for another role',
      `${shown} CREATE POLICY few ON notes AS RESTRICTIVE TO strangers USING (id = 1)`,
    ],
    ['of an owner who is not forced', `${secured} ALTER TABLE notes OWNER TO reader`],
    ['with a user who turns row security off', `${shown} ALTER ROLE reader SET row_security = off`],
  ])('whose policies show all rows %s is copied', async (_, setup) => {
    const { source, sql } = await open(setup);
    expect(await problems(source)).toEqual({ ofTable: [], preflight: [], statements: [] });
    expect(await read(source)).toBe('1,2');
    await sql('ALTER ROLE reader RESET row_security');
    await source.close();
  });

  test('of which only some columns are published is copied by a user who may read only these', async (context) => {
    if (postgres.major < 15) return context.skip();
    const { source } = await open(
      `ALTER TABLE notes ADD COLUMN secret text; ALTER PUBLICATION powersync SET TABLE notes (id, body);
       REVOKE SELECT ON notes FROM reader; GRANT SELECT (id, body) ON notes TO reader`,
    );
    const { ofTable, preflight } = await problems(source);
    expect({ ofTable, preflight }).toEqual({ ofTable: [], preflight: ['warning SVC_S1166'] });
    expect(await read(source)).toBe('1,2');
    await source.close();
  });

  test.each([
    ['a generated key', `${generated}, PRIMARY KEY (twice)`, ''],
    ['a key that is partly generated', `${generated}, PRIMARY KEY (id, twice)`, ''],
    ['an unpublished key', 'id int PRIMARY KEY, body text', 'notes (body)'],
    [
      'a partly published key',
      'id int, part int DEFAULT 1, body text, PRIMARY KEY (id, part)',
      'notes (id, body)',
    ],
    ['a full identity that is published in part', 'id int, body text, UNIQUE (id, body)', 'notes (id)'],
  ])('with %s is refused until the log contains the key', async (_, columns, published) => {
    if (postgres.major < 15 && published !== '') return;
    const listed = published === '' ? '' : `ALTER PUBLICATION powersync SET TABLE ${published};`;
    const isWhole = columns.includes('UNIQUE') ? 'ALTER TABLE notes REPLICA IDENTITY FULL' : '';
    const { source, sql } = await open(listed + isWhole, columns);
    const { statements, ...found } = await problems(source);
    expect(found.ofTable).toEqual(['SVC_S1168']);
    expect(found.preflight).toContain('fatal SVC_S1168');
    expect(await failureOf(read(source))).toMatchObject({ code: 'SVC_S1168' });
    for (const statement of new Set(statements)) await sql(statement);
    expect(await problems(source)).toEqual({ ofTable: [], preflight: [], statements: [] });
    await sql(`UPDATE notes SET body = 'changed'`);
    await source.close();
  });
});
