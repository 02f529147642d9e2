/** Predictions for SQL files. Each is compared with what happens when a real embedded database with rows runs the file. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { analyze, patternsReadBy } from '../../../../server/engine/index.ts';
import { type RehearsalAnswer, rehearse } from '../../../../server/service/replication/rehearsal/rehearse.ts';
import { reasonToCopy } from '../../../../server/service/replication/rows/tableShape.ts';
import { newTable } from '../../../../server/service/replication/rows/tables.ts';
import type { Source } from '../../../../server/service/replication/source.ts';
import { project } from '../embedded/projectDatabase.ts';

const config = `config: { edition: 3 }
streams:
  all:
    auto_subscribe: true
    queries:
      - SELECT * FROM lists
      - SELECT * FROM items
`;
const { config: read } = analyze(config, { kind: 'sync' });
const patterns = read === undefined ? [] : patternsReadBy(read);

const first = `
CREATE TYPE mood AS ENUM ('good', 'bad');
CREATE TABLE lists (id text PRIMARY KEY, name varchar(20), size int, mood mood);
CREATE TABLE items (id text PRIMARY KEY, list text);
INSERT INTO lists VALUES ('a', 'first', 5, 'good'), ('b', 'second', 7, NULL);
INSERT INTO items VALUES ('1', 'a');
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-rehearsal-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function predict(pending: string, base: string = first): Promise<RehearsalAnswer> {
  const path = join(folder, 'db/1.sql');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, base);
  const schema = [{ path: join(folder, 'db'), name: 'db', folder }];
  const question = { schema, pending: [{ name: 'db/2.sql', text: pending }], patterns };
  return rehearse(question, new AbortController().signal);
}

function judged(answer: RehearsalAnswer) {
  if (answer.kind === 'failed') throw new Error(answer.reason);
  const outcomes = Object.fromEntries(answer.tables.map(({ name, outcome }) => [name, outcome]));
  const reasons = answer.tables.flatMap(({ reason }) => reason ?? []);
  return { outcomes, reasons, remarks: answer.remarks };
}

/** Returns the tables that a database with rows would cause to be copied again. */
async function consequences(source: Source, run: () => Promise<void>): Promise<readonly string[]> {
  const before = await source.tables(patterns);
  await run();
  const after = await source.tables(patterns);
  return after.flatMap(({ table }) => {
    const known = before.find(
      (each) => each.table !== undefined && each.table.sourceId === table?.sourceId,
    )?.table;
    if (table === undefined || known === undefined) return [];
    const stored = { ...newTable(known), id: 1, copied: true };
    return reasonToCopy(table, stored) === undefined ? [] : [table.name];
  });
}

/** The scripts, in the order in which they run, and the tables that are copied again because of each. */
const scripts: readonly (readonly [sql: string, copied: string])[] = [
  [`ALTER TABLE lists ADD COLUMN done boolean NOT NULL DEFAULT false`, 'lists'],
  [`ALTER TABLE lists ADD COLUMN at timestamptz DEFAULT now()`, 'lists'],
  [`ALTER TABLE lists ADD COLUMN double int GENERATED ALWAYS AS (size * 2) STORED`, 'lists'],
  [`ALTER TABLE lists DROP COLUMN double`, 'lists'],
  [`ALTER TABLE lists ADD COLUMN note text`, ''],
  [`ALTER TABLE lists ALTER COLUMN name TYPE varchar(50)`, ''],
  [`ALTER TABLE lists ALTER COLUMN size TYPE text USING size || ' cm'`, 'lists'],
  [`ALTER TABLE lists ALTER COLUMN size SET DEFAULT '3 cm'`, ''],
  [`ALTER TABLE items ALTER COLUMN list SET NOT NULL`, ''],
  [`ALTER TABLE lists RENAME COLUMN size TO length`, 'lists'],
  [`ALTER TYPE mood RENAME VALUE 'good' TO 'great'`, 'lists'],
  [`ALTER TYPE mood ADD VALUE 'fair'`, ''],
  [`CREATE INDEX ON items (list)`, ''],
  [`ALTER TABLE lists SET UNLOGGED`, ''],
  [`ALTER TABLE lists DROP COLUMN length; ALTER TABLE items ADD COLUMN n int DEFAULT 1`, 'items lists'],
];

describe('A rehearsal', () => {
  test('predicts what happens in a database with rows', async () => {
    const { open, write } = project({ 'db/000.sql': first });
    const source = await open('db');
    let base = first;
    for (const [index, [sql, copied]] of scripts.entries()) {
      const { outcomes, reasons, remarks } = judged(await predict(`${sql};`, base));
      const predicted = Object.keys(outcomes).filter((name) => outcomes[name] === 'copied again');
      const real = await consequences(source, async () => {
        write({ [`db/${100 + index}.sql`]: `${sql};` });
        await source.own?.applyScripts();
      });
      expect({ sql, predicted: predicted.toSorted().join(' ') }).toEqual({ sql, predicted: copied });
      expect({ sql, real: real.toSorted().join(' ') }).toEqual({ sql, real: copied });
      expect(reasons).toHaveLength(predicted.length);
      expect(remarks).toEqual([]);
      base += `\n${sql};`;
    }
    expect((await source.own?.scripts())?.skipped).toEqual([]);
  });

  test('reports new, missing and dropped tables', async () => {
    const base = 'CREATE TABLE items (id text PRIMARY KEY);';
    expect(judged(await predict('CREATE TABLE lists (id text PRIMARY KEY);', base)).outcomes).toEqual({
      items: 'nothing',
      lists: 'new',
    });
    expect(judged(await predict('DROP TABLE items;', base)).outcomes).toEqual({
      items: 'gone',
      lists: 'unknown',
    });
    const replaced = 'DROP TABLE items; CREATE TABLE items (id text PRIMARY KEY);';
    expect(judged(await predict(replaced, base)).outcomes).toEqual({
      items: 'copied again',
      lists: 'unknown',
    });
  });

  test('does not claim that nothing is to do if a statement could not be run', async () => {
    const { outcomes, remarks } = judged(
      await predict(`ALTER TABLE lists DROP COLUMN size;\n\nALTER TABLE nowhere ADD COLUMN x int;`),
    );
    expect(outcomes).toEqual({ lists: 'copied again', items: 'unknown' });
    expect(remarks).toMatchObject([
      { script: 'db/2.sql', line: 3, kind: 'not run', message: expect.stringContaining('nowhere') },
    ]);
    const harmless = judged(await predict(`GRANT SELECT ON nowhere TO PUBLIC; ALTER TABLE items ADD x int;`));
    expect(harmless).toMatchObject({ outcomes: { lists: 'nothing', items: 'nothing' }, remarks: [] });
  });

  test('reports statements whose effect depends on rows or on a server', async () => {
    const { outcomes, remarks } = judged(
      await predict(`UPDATE lists SET size = 1;
UPDATE lists SET size = 2;
SELECT pg_catalog.set_config('search_path', '', false);
DO $$ BEGIN NULL; END $$;
CREATE PUBLICATION powersync FOR ALL TABLES;`),
    );
    expect(outcomes).toEqual({ lists: 'nothing', items: 'nothing' });
    expect(remarks).toEqual([
      { script: 'db/2.sql', line: 1, lastLine: 2, statements: 2, kind: 'rows' },
      { script: 'db/2.sql', line: 4, kind: 'code' },
      { script: 'db/2.sql', line: 5, kind: 'publishing' },
    ]);
  });

  test('does not run a pending script of the project before the others', async () => {
    mkdirSync(join(folder, 'db'), { recursive: true });
    const pending = 'ALTER TABLE lists DROP COLUMN size;';
    writeFileSync(join(folder, 'db/2.sql'), pending);
    expect(judged(await predict(pending)).outcomes).toMatchObject({ lists: 'copied again' });
  });

  test('returns the reason if there is no prediction', async () => {
    const schema = [{ path: join(folder, 'nowhere'), name: 'nowhere', folder }];
    const question = { schema, pending: [], patterns };
    expect(await rehearse(question, new AbortController().signal)).toEqual({
      kind: 'failed',
      reason: 'nowhere does not exist.',
    });
  });
});
