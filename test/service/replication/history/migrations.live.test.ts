/** Migrations that change stored rows without a change of a row in the source's log: clients end up with the source's rows. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { patient } from '../../../../scripts/run/patience.ts';
import { eventually } from '../../../support/house/eventually.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../../support/processes/postgres.ts';
import { openStage, type Stage } from './support.ts';

const isMissing = postgresPrograms.kind === 'missing';
const limit = patient(60_000);

/** The migrations run in this order, each on the table that the earlier ones have left. */
const migrations: readonly (readonly [name: string, sql: string])[] = [
  ['another type', 'ALTER TABLE todos ALTER COLUMN note TYPE int USING length(note)'],
  [
    'a new column with a default in the place of a dropped one',
    `ALTER TABLE todos DROP COLUMN note; ALTER TABLE todos ADD COLUMN note text DEFAULT 'def'`,
  ],
  [
    'two columns that swap their names',
    `ALTER TABLE todos RENAME COLUMN title TO t; ALTER TABLE todos RENAME COLUMN note TO title;
     ALTER TABLE todos RENAME COLUMN t TO note`,
  ],
  [
    'a new enum',
    `CREATE TYPE mood AS ENUM ('good', 'bad'); ALTER TABLE todos DROP COLUMN note;
     ALTER TABLE todos ADD COLUMN note mood DEFAULT 'good'`,
  ],
  ['a renamed value of an enum', `ALTER TYPE mood RENAME VALUE 'good' TO 'fine'`],
  [
    'another type in one transaction with changes of rows',
    `BEGIN; UPDATE todos SET note = 'bad' WHERE id = 1; ALTER TABLE todos ALTER COLUMN title DROP DEFAULT, ALTER COLUMN title TYPE int USING 5;
     INSERT INTO todos VALUES (3, 7, 'fine'); COMMIT`,
  ],
  ['a rewritten table', `VACUUM FULL todos`],
];

/** The log does not report them, and no row of the table changes afterwards. */
const disappearances: readonly (readonly [name: string, goes: string, comesBack: string])[] = [
  ['renamed', 'ALTER TABLE todos RENAME TO former', 'ALTER TABLE former RENAME TO todos'],
  [
    'moved to another schema',
    'CREATE SCHEMA elsewhere; ALTER TABLE todos SET SCHEMA elsewhere',
    'ALTER TABLE elsewhere.todos SET SCHEMA public',
  ],
  [
    'dropped',
    'DROP TABLE todos',
    `CREATE TABLE todos (id int PRIMARY KEY, title int, note text); INSERT INTO todos VALUES (1, 4, 'new')`,
  ],
];

describe.each(isMissing ? (['embedded'] as const) : (['postgresql', 'embedded'] as const))(
  'in %s',
  (source) => {
    let server: TestPostgres | undefined;
    let stage: Stage;

    beforeAll(async () => {
      if (!isMissing) server = await startPostgres();
      stage = await openStage({ source, storage: 'embedded', ...(server && { server }) });
      await stage.start();
      await eventually(async () => expect(await stage.shown()).toEqual(await stage.rows()));
    }, limit);
    afterAll(async () => {
      await stage?.close();
      await server?.stop();
    });

    test.each(migrations)('%s', { timeout: 2 * limit }, async (_, sql) => {
      await stage.sql(sql);
      const rows = await stage.rows();
      await expect.poll(stage.shown, { timeout: limit, interval: 250 }).toEqual(rows);
    });

    test.each(disappearances)(
      'a table that is %s, and one that comes back',
      { timeout: 2 * limit },
      async (_, goes, comesBack) => {
        await stage.sql(goes);
        await expect.poll(stage.shown, { timeout: limit, interval: 250 }).toEqual([]);
        await stage.sql(comesBack);
        if (source === 'postgresql' && goes.startsWith('DROP'))
          await stage.sql('ALTER PUBLICATION powersync ADD TABLE todos');
        const rows = await stage.rows();
        expect(rows).not.toEqual([]);
        await expect.poll(stage.shown, { timeout: limit, interval: 250 }).toEqual(rows);
      },
    );

    // The embedded database stops with the service.
    test.skipIf(source === 'embedded')(
      'a definition that changed while the service was stopped',
      { timeout: 2 * limit },
      async () => {
        await stage.stop();
        await stage.sql('ALTER TABLE todos ALTER COLUMN title TYPE int USING title + 1');
        const rows = await stage.rows();
        await stage.start();
        await expect.poll(stage.shown, { timeout: limit, interval: 250 }).toEqual(rows);
      },
    );

    test.skipIf(source === 'embedded')(
      'a change without an effect on rows, while the service was stopped, copies nothing',
      { timeout: 2 * limit },
      async () => {
        await stage.stop();
        const copies = () => stage.log().filter((line) => /cop(?:y|ied) /i.test(line)).length;
        const before = copies();
        await stage.sql('INSERT INTO todos (id, title) VALUES (11, 1)');
        await stage.sql('ALTER TABLE todos ADD COLUMN more text; ALTER TABLE todos ALTER title SET NOT NULL');
        await stage.sql('INSERT INTO todos (id, title) VALUES (12, 2)');
        await stage.start();
        await expect.poll(stage.shown, { timeout: limit, interval: 250 }).toEqual(await stage.rows());
        expect(copies()).toBe(before);
      },
    );

    test.skipIf(source === 'embedded').each([
      ['a column', ['one', 'two'], `ALTER TABLE todos ADD COLUMN note text DEFAULT 'm'`],
      [
        'a column of the same name',
        ['one', 'two', 'n'],
        `ALTER TABLE todos DROP COLUMN note, ADD COLUMN note text DEFAULT 'm'`,
      ],
      [
        'names that are swapped',
        ['one', 'two', 'n'],
        `ALTER TABLE todos RENAME COLUMN title TO t; ALTER TABLE todos RENAME COLUMN note TO title; ALTER TABLE todos RENAME COLUMN t TO note`,
      ],
    ] as const)(
      '%s that a copy has, and a row that was changed before in the log has not',
      { timeout: 2 * limit },
      async (_, [one, two, note], change) => {
        const [column, value] = note === undefined ? ['', ''] : [', note text', `, '${note}'`];
        await stage.stop();
        // The service copies this table at its first row in the log, with the definition that it has by then.
        await stage.sql(`DROP TABLE todos; CREATE TABLE todos (id int PRIMARY KEY, title text${column});
          ALTER PUBLICATION powersync ADD TABLE todos;
          INSERT INTO todos VALUES (1, '${one}'${value}), (2, '${two}'${value})`);
        await stage.sql(`UPDATE todos SET title = 'again' WHERE id = 1`);
        await stage.sql(change);
        await stage.start();
        await expect.poll(stage.shown, { timeout: limit, interval: 250 }).toEqual(await stage.rows());
        await stage.sql('INSERT INTO todos (id) VALUES (3)');
        await expect.poll(stage.shown, { timeout: limit, interval: 250 }).toEqual(await stage.rows());
      },
    );
  },
);
