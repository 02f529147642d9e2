import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareNames, type DdlCatalog, foldDdl } from '../../../server/engine/ddl/fold.ts';
import { readDdl } from '../../../server/engine/ddl/read.ts';
import type { CatalogColumn, CatalogTable } from '../../../server/engine/model/catalog.ts';

/** Reads the files, keyed by path, into a catalog. A string is treated as one file. */
function catalogOf(files: string | Readonly<Record<string, string>>): DdlCatalog | undefined {
  const all = typeof files === 'string' ? { 'schema.sql': files } : files;
  const read = Object.entries(all).map(([path, text]) => ({ path, statements: readDdl(text) }));
  return foldDdl(read, 'public');
}

/** Draws each table on a line: `public.lists(id: text uuid!, name)`. `!` marks NOT NULL, `…` marks unknown columns. */
function drawn(files: string | Readonly<Record<string, string>>): string[] {
  return (catalogOf(files)?.catalog.tables ?? []).map(drawTable).sort();
}

function drawTable({ schema, name, columns, open }: CatalogTable): string {
  const listed = [...[...columns.values()].map(drawColumn), ...(open ? ['…'] : [])];
  return `${schema}.${name}(${listed.join(', ')})`;
}

function drawColumn({ name, type, sourceType, nullable }: CatalogColumn): string {
  const types = [type, sourceType].filter((part) => part !== undefined).join(' ');
  return `${name}${types ? `: ${types}` : ''}${nullable === false ? '!' : ''}`;
}

describe('CREATE TABLE', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'of PostgreSQL creates columns with types',
      `create table if not exists public.lists (
         id uuid primary key default gen_random_uuid(),
         "ownerId" UUID not null references auth.users (id) on delete cascade,
         price numeric(10, 2) check (price > 0),
         at timestamp with time zone default now(),
         tags text[],
         constraint one unique (id, price)
       );`,
      [
        'auth.users(…)',
        'public.lists(id: text uuid!, ownerId: text uuid!, price: text numeric(10,2), at: text timestamp with time zone, tags: text text[])',
      ],
    ],
    [
      'of MySQL, with backticks and indexes',
      'CREATE TABLE `app`.`Users` (`id` INT UNSIGNED NOT NULL AUTO_INCREMENT, `key` varchar(20), PRIMARY KEY (`id`), KEY `by_key` (`key`)) ENGINE=InnoDB;',
      ['app.Users(id: integer int unsigned!, key: text varchar(20))'],
    ],
    [
      'of SQL Server, with brackets',
      'CREATE TABLE [dbo].[Things] ([Id] int NOT NULL, [Name] nvarchar(max) NULL)\nGO\nCREATE TABLE [dbo].[More] ([Id] int)',
      ['dbo.More(Id: integer int)', 'dbo.Things(Id: integer int!, Name: text nvarchar(max))'],
    ],
    [
      'with a primary key after its columns',
      'create table a (x int, y int, primary key (x, y))',
      ['public.a(x: integer int!, y: integer int!)'],
    ],
    [
      'with names that are keywords elsewhere',
      'create table a (key text, index int, comment text not null, "primary" bool)',
      ['public.a(key: text text, index: integer int, comment: text text!, primary: integer bool)'],
    ],
    ['from a query has unknown columns', 'create table a as select * from b', ['public.a(…)']],
    [
      'with LIKE copies the columns of the other table',
      'create table a (id uuid); create table b (like a including all, more int);',
      ['public.a(id: text uuid)', 'public.b(id: text uuid, more: integer int)'],
    ],
    [
      'that inherits from an unknown table has unknown columns',
      'create table b (more int) inherits (a);',
      ['public.b(more: integer int, …)'],
    ],
    ['for a temporary table is ignored', 'create temporary table a (id int)', []],
    [
      'with types that the migrations define',
      "create type mood as enum ('a', 'b'); create domain cents as integer; create table a (m mood, c cents, g unheard_of)",
      ['public.a(m: text mood, c: cents, g: unheard_of)'],
    ],
    [
      'under a search path',
      'set search_path to app, public; create table a (id int); create table public.b (id int)',
      ['app.a(id: integer int)', 'public.b(id: integer int)'],
    ],
  ])('%s', (_, text, expected) => {
    expect(drawn(text)).toEqual([...expected].sort());
  });

  test('is found among functions, comments and rows of a dump', () => {
    const text = `
      -- create table no (id int);
      /* create table no (id int); */
      create function f() returns void as $body$ begin create table no (id int); end $body$ language plpgsql;
      do $$ begin execute 'create table no (id int)'; end $$;
      create policy p on yes using (x = ';');
COPY public.x (id, note) FROM stdin;
1\tit's
\\.
      create table yes (id int);
    `;
    expect(drawn(text)).toEqual(['public.yes(id: integer int)']);
  });
});

test('A view has the columns that its query names, or unknown columns', () => {
  expect(
    drawn(`
      create or replace view a as select id, lower(name) as name from x;
      create materialized view b as select * from x;
      create view c (one, two) as select 1, 2;
    `),
  ).toEqual(['public.a(id, name)', 'public.b(…)', 'public.c(one, two)']);
});

describe('ALTER and DROP', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'add columns',
      'alter table only a add column if not exists x int not null, add y text',
      ['a(id: text uuid, x: integer int!, y: text text)'],
    ],
    ['remove columns', 'alter table a drop column if exists id cascade, add z int', ['a(z: integer int)']],
    ['rename columns', 'alter table a rename column id to key', ['a(key: text uuid)']],
    ['rename tables', 'alter table a rename to b', ['b(id: text uuid)']],
    [
      'change types',
      'alter table a alter column id set data type bigint using id::bigint',
      ['a(id: integer bigint)'],
    ],
    ['change NOT NULL', 'alter table a alter id set not null', ['a(id: text uuid!)']],
    [
      'change whole columns, as MySQL does',
      'alter table a change column id key int not null',
      ['a(key: integer int!)'],
    ],
    [
      'ignore constraints',
      'alter table a add constraint c check (id > 1), add primary key (id), drop constraint c',
      ['a(id: text uuid)'],
    ],
    [
      'add columns with names that are keywords elsewhere',
      'alter table a add key text, add index int',
      ['a(id: text uuid, key: text text, index: integer int)'],
    ],
    ['remove tables', 'drop table if exists b, a cascade', []],
    ['remove schemas', 'drop schema public cascade', []],
    ['rename tables, as MySQL does', 'rename table a to b', ['b(id: text uuid)']],
  ])('%s', (_, text, expected) => {
    expect(drawn(`create table a (id uuid); ${text};`)).toEqual(expected.map((table) => `public.${table}`));
  });

  test('leave unknown columns in a table that no file creates', () => {
    expect(drawn('alter table a add column x int')).toEqual(['public.a(x: integer int, …)']);
  });
});

describe('A table that no file creates is listed with unknown columns', () => {
  const made = 'create table made (id int);';

  test.each<[string, string]>([
    ['an index is on', 'create unique index concurrently if not exists by_x on only app.a using btree (x);'],
    ['a policy is on', 'create policy "on its own" on app.a for select using (true);'],
    [
      'a trigger is on',
      'create or replace constraint trigger t after insert or update of x on app.a execute f();',
    ],
    ['a column refers to', 'alter table made add x int references app.a (id), drop x;'],
    ['a foreign key refers to', 'alter table made add constraint k foreign key (id) references app.a;'],
    ['a publication lists', 'alter publication p add table only app.a;'],
    ['a comment is on', "comment on table app.a is 'It';"],
    ['TRUNCATE empties', 'truncate table app.a restart identity cascade;'],
  ])('if %s it', (_, text) => {
    expect(drawn(`${made} ${text}`)).toEqual(['app.a(…)', 'public.made(id: integer int)']);
  });

  test('if a publication lists it with other tables', () => {
    const text = 'create publication p for table a (x), b where (y > 1);';
    expect(drawn(made + text)).toEqual(['public.a(…)', 'public.b(…)', 'public.made(id: integer int)']);
  });

  test('unless it is dropped', () => {
    expect(drawn(`${made} create index on a (x); drop table a;`)).toEqual(['public.made(id: integer int)']);
    expect(drawn(`${made} create index on app.a (x); drop schema app;`)).toEqual([
      'public.made(id: integer int)',
    ]);
  });

  test('unless it is created later', () => {
    const text = 'create table b (x int references a (id)); create table a (id int);';
    expect(drawn(text)).toEqual(['public.a(id: integer int)', 'public.b(x: integer int)']);
  });

  test('unless no file creates or alters a table, because such files describe too little of the schema', () => {
    expect(drawn('create index on a (x)')).toEqual([]);
  });

  test('under its new name, if it is renamed', () => {
    expect(drawn('create index on a (x); alter table a rename to b;')).toEqual(['public.b(…)']);
  });
});

describe('Several files', () => {
  test('are read in the order of the numbers in their names', () => {
    expect(
      drawn({
        'db/V10__drop.sql': 'alter table a drop column x;',
        'db/V2__make.sql': 'create table a (id int, x int);',
      }),
    ).toEqual(['public.a(id: integer int)']);
    const dates = ['20260105_b', '20260101120000_a', '20260106000000_c', '20260105120000_d'];
    expect(dates.sort(compareNames)).toEqual([
      '20260101120000_a',
      '20260105_b',
      '20260105120000_d',
      '20260106000000_c',
    ]);
    expect(['V10__b.sql', 'V9.1__c.sql', 'V9__a.sql'].sort(compareNames)).toEqual([
      'V9.1__c.sql',
      'V9__a.sql',
      'V10__b.sql',
    ]);
  });

  test('of Prisma, each in its own folder, are read as one history', () => {
    expect(
      drawn({
        'prisma/migrations/2_x/migration.sql': 'ALTER TABLE "A" DROP COLUMN "x";',
        'prisma/migrations/1_init/migration.sql': 'CREATE TABLE "A" ("id" TEXT NOT NULL, "x" INTEGER);',
      }),
    ).toEqual(['public.A(id: text text!)']);
  });

  test('of Drizzle are read despite the comments between their statements', () => {
    expect(
      drawn({
        'drizzle/0000_a.sql':
          'CREATE TABLE "users" (\n\t"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,\n\t"bio" text\n);\n--> statement-breakpoint\nCREATE INDEX "i" ON "users" USING btree ("bio");',
        'drizzle/0001_b.sql':
          'ALTER TABLE "users" ADD COLUMN "age" integer;--> statement-breakpoint\nALTER TABLE "users" DROP COLUMN "bio";',
      }),
    ).toEqual(['public.users(id: text uuid!, age: integer integer)']);
  });

  test('in different folders are read independently and combined', () => {
    expect(
      drawn({
        'one/a.sql': 'create table a (id int, x int);',
        'two/a.sql': 'create table a (id uuid, y int); drop table b;',
        'three/b.sql': 'create table b (id int);',
      }),
    ).toEqual(['public.a(id, x: integer int, y: integer int)', 'public.b(id: integer int)']);
  });

  test('that undo a migration are ignored', () => {
    expect(
      drawn({
        'm/1_a.up.sql': 'create table a (id int);',
        'm/1_a.down.sql': 'drop table a;',
        'm/U1__a.sql': 'drop table a;',
        'm/2_b.sql': '-- migrate:up\ncreate table b (id int);\n-- migrate:down\ndrop table b;',
      }),
    ).toEqual(['public.a(id: integer int)', 'public.b(id: integer int)']);
  });

  test('without a table produce no catalog, because nothing is known', () => {
    expect(catalogOf('select 1; insert into x values (1);')).toBeUndefined();
  });
});

test('The catalog returns the place where a table or column was named', () => {
  const text = 'create table a (id int);\nalter table a rename column id to key;';
  const found = catalogOf(text);
  const written = (column?: string) => {
    const { span } = found?.placeOf({ schema: 'public', name: 'a' }, column) ?? {};
    return span && text.slice(span.start, span.end + 1);
  };
  expect([written(), written('key'), written('id')]).toEqual(['a ', 'key;', undefined]);
});

test('The version changes if and only if the content changes', () => {
  const versions = ['create table a (id int)', 'create  table a (id int);', 'create table a (id text)'].map(
    (text) => catalogOf(text)?.catalog.version,
  );
  expect(versions[1]).toBe(versions[0]);
  expect(versions[2]).not.toBe(versions[0]);
});

test('A file with any content is read without an error', () => {
  const pieces = fc.constantFrom(
    ...['create table ', 'alter table ', 'a', '"', '`', "'", '$$', '(', ')', ',', ';', '.', 'add ', 'drop '],
    ...[
      '[',
      ']',
      '/*',
      '--',
      '\n',
      'rename to ',
      'like ',
      'create index on ',
      'references ',
      'as select ',
      'view ',
      '\ud800',
      '0',
      'primary key',
    ],
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      catalogOf(parts.join(''));
    }),
    { seed: 7, numRuns: 2000 },
  );
});
