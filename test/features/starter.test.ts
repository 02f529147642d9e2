import { expect, test } from 'vitest';
import { analyze, type KnownSource, messageOf, readScripts } from '../../server/engine/index.ts';
import type { Catalog } from '../../server/engine/model/catalog.ts';
import { ownerColumnOf } from '../../server/engine/names/relations.ts';
import { prepareTests } from '../../server/engine/tests/prepare.ts';
import { readTests } from '../../server/engine/tests/reading/readTests.ts';
import { runTests } from '../../server/engine/tests/run.ts';
import { noSeeds } from '../../server/engine/tests/seeds/seeds.ts';
import { toTestSubject } from '../../server/engine/tests/subject.ts';
import { starterFor, starterTables } from '../../server/features/starter.ts';
import { starterTests } from '../../server/features/starterTests.ts';
import { readCatalog } from '../support/engine/catalog.ts';
import { labelsAt } from '../support/engine/completions.ts';

const names = ['owner_id', 'owner', 'owned_by', 'user_id', 'author_id', 'created_by', 'member_id'];
const pairs = names.flatMap((one) => names.filter((other) => other !== one).map((other) => [one, other]));

test.each(pairs)(
  'With %s and %s, the first config and completion use the same owner column',
  (one, other) => {
    const table = `create table notes (id text, ${one} text, ${other} text)`;
    const catalog: Catalog = readCatalog(table);
    const owner = ownerColumnOf({ name: 'notes', columns: ['id', one, other] });
    const query = `SELECT * FROM notes WHERE ${owner} = auth.user_id()`;
    expect(starterFor({ catalog, defaultSchema: 'public' }).text).toContain(`    query: ${query}\n`);
    const drawing = `config:\n  edition: 3\nstreams:\n  mine:\n    query: <|>\n=== catalog\n${table}`;
    expect(labelsAt(drawing)).toContain(query);
  },
);

test.each([
  ['a key of the app, not of the sign-in', 'created_by uuid references accounts', undefined],
  ['the sign-in itself', 'made_by uuid references auth.users', 'made_by'],
  ['a profile with the key of the sign-in', 'author_id uuid references profiles', 'author_id'],
  ['two users', 'sender uuid references auth.users, receiver uuid references auth.users', undefined],
  ['an unknown table', 'owner_id uuid', 'owner_id'],
  [
    'a key of the app, and the sign-in',
    'created_by uuid references accounts, who uuid references auth.users',
    'who',
  ],
] as const)(
  'A column that refers to %s is compared with the user only if it has the same id',
  (_, columns, owner) => {
    const tables = `create table notes (id uuid, ${columns});
create table accounts (id uuid, login_id uuid references auth.users);
create table profiles (id uuid references auth.users)`;
    expect(ownersIn(tables)).toEqual({ notes: owner, accounts: 'login_id', profiles: 'id' });
  },
);

test.each([
  ['a member, who has a user', 'create table members (id uuid, user_id uuid)', undefined],
  [
    'a table that is not the one of users',
    'create table members (id uuid);\ncreate table users (id uuid)',
    undefined,
  ],
  ['a user with another id in tokens', 'create table members (id uuid, auth_id text)', undefined],
  ['a table that may be the one of users', 'create table members (id uuid)', 'member_id'],
] as const)('Without a known sign-in, a column may refer to %s', (_, tables, owner) => {
  const notes = 'create table notes (id uuid, member_id uuid references members)';
  expect(ownersIn(`${notes};\n${tables}`).notes).toBe(owner);
});

const idTypes = [
  'uuid primary key default gen_random_uuid()',
  'text primary key',
  'varchar(8) not null',
  'varchar(3)',
  'char(10)',
  'integer primary key',
  'smallint',
  'bigint generated always as identity primary key',
  'bigserial primary key',
  'numeric(4, 1)',
  'ulid',
];
const idColumns = [
  ...idTypes.map((type) => `id ${type}, user_id uuid references auth.users`),
  ...['uuid', 'text', 'varchar(30)', 'varchar(2)', 'citext'].map((type) => `id uuid, user_id ${type}`),
  'id uuid primary key references auth.users',
  'id uuid primary key references auth.users on delete cascade, name text not null check (length(name) > 3)',
  'id text, user_id text unique, team_id integer not null references teams',
  'id bigserial primary key, user_id bigint not null, account_id bigint not null',
];

test.each(idColumns)('The first tests of a table with %s pass', (columns) => {
  const known = sourceOf(`create table teams (id integer primary key);
create table projects (id integer primary key, account_id integer);
create table notes (${columns})`);
  expect(failuresOfFirstTests(known)).toEqual([]);
});

const related = `create table profiles (id uuid primary key references auth.users);
create table lists (id uuid primary key, owner_id uuid references auth.users);
create table items (id uuid primary key, list_id uuid references lists on delete cascade);
create table teams (id uuid primary key, name text);
create table members (team_id uuid references teams (id), user_id uuid references auth.users, primary key (user_id, team_id));
create table "Tasks" (id uuid primary key, team uuid references teams);
create table tags (id uuid primary key, name text);
create table names (name text primary key);
create table uses (id uuid primary key, name text references names (name), user_id uuid)`;

test('Streams that follow foreign keys are suggested in comments', () => {
  const { text, without, suggested } = starterFor(sourceOf(related));
  expect({ without, suggested }).toEqual({ without: 6, suggested: 4 });
  expect(text.slice(text.indexOf('\n  # Rows of'))).toMatchInlineSnapshot(`
    "
      # Rows of these tables belong to rows of a user, or a row of the user refers to them. If the user may have them,
      # remove the # of the stream:
      #
      # items:
      #   auto_subscribe: true
      #   query: SELECT * FROM items WHERE list_id IN (SELECT id FROM lists WHERE owner_id = auth.user_id())
      #
      # teams:
      #   auto_subscribe: true
      #   query: SELECT * FROM teams WHERE id IN (SELECT team_id FROM members WHERE user_id = auth.user_id())
      #
      # Tasks:
      #   auto_subscribe: true
      #   query: SELECT * FROM "Tasks" WHERE team IN (SELECT team_id FROM members WHERE user_id = auth.user_id())

      # These tables have no \`id\`, which clients need. If the columns before \`AS id\` identify a row, remove the # of the stream:
      #
      # members:
      #   auto_subscribe: true
      #   query: SELECT team_id || '-' || user_id AS id, * FROM members WHERE user_id = auth.user_id()

      # No user gets rows of these tables yet, because it is not known which column contains the id of the user:
      #   tags
      #   names
      # If a row belongs to a parent row, write for example:
      #   tags: { query: SELECT * FROM tags WHERE parent_id IN (SELECT id FROM parents WHERE owner_id = auth.user_id()) }
    "
  `);
});

test('A suggested stream is a stream if its # is removed', () => {
  const known = sourceOf(related);
  const text = starterFor(known).text.replace(/^ {2}# (?= {2}(?:auto_subscribe|query):)/gm, '  ');
  const suggested = text.replace(/^ {2}# (?=(?:items|teams|Tasks|members):)/gm, '  ');
  const { config, findings } = analyze(suggested, { ...known, kind: 'sync' });
  expect(findings).toEqual([]);
  expect(config?.definitions.map(({ definition }) => definition.name)).toEqual([
    'profiles',
    'lists',
    'uses',
    'items',
    'teams',
    'Tasks',
    'members',
  ]);
});

test('The braces of an empty config are in the way of a suggested stream', () => {
  const known = sourceOf(`create table teams (id uuid primary key);
create table members (team_id uuid references teams (id), user_id uuid references auth.users)`);
  const { text } = starterFor(known);
  const mended = text
    .replace('streams: {}', 'streams:')
    .replace(/^ {2}# (?=(?:teams|members):| {2}\w+:)/gm, '  ');
  expect(text).toContain('remove the {} above');
  expect(analyze(mended, { ...known, kind: 'sync' }).findings).toEqual([]);
});

/** Returns the problems and failures of the first tests, with the first config. */
function failuresOfFirstTests(known: KnownSource): readonly string[] {
  const text = starterTests('sync.yaml', known);
  if (text === undefined) throw new Error(starterFor(known).text);
  const analysis = analyze(starterFor(known).text, { ...known, kind: 'sync' });
  const prepared = prepareTests(readTests(text), {
    analysis,
    known: { catalog: known.catalog },
    subjectOf: (config) => toTestSubject(config),
    seeds: noSeeds,
  });
  const { subject, file, findings } = prepared;
  if (subject === undefined) return findings.map(messageOf);
  const outcomes = runTests(file, subject, { seeds: prepared.seeds, findings });
  return [
    ...findings.map(messageOf),
    ...outcomes.flatMap(({ failures }) => failures.map(({ message }) => message)),
  ];
}

test.each([
  ['another table by its name', 'account_id bigint', undefined],
  ['rows of several tables', 'owner_type text, owner_id bigint', undefined],
  ['users', 'account_id bigint, user_id bigint', 'user_id'],
] as const)('A column with numbers of %s', (_, columns, owner) => {
  const tables = `create table users (id bigserial primary key);
create table accounts (id bigserial primary key);
create table notes (id bigserial primary key, ${columns})`;
  expect(ownersIn(tables)).toEqual({ users: undefined, accounts: undefined, notes: owner });
});

function ownersIn(tables: string): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(starterTables(sourceOf(tables)).map(({ name, owner }) => [name, owner]));
}

function sourceOf(text: string): KnownSource {
  const known = readScripts([{ path: 'schema.sql', text }]);
  if (known === undefined) throw new Error('No table was read.');
  return known;
}
