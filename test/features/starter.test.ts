import { expect, test } from 'vitest';
import { readScripts } from '../../server/engine/index.ts';
import type { Catalog } from '../../server/engine/model/catalog.ts';
import { ownerColumnOf } from '../../server/engine/names/relations.ts';
import { starterFor, starterTables } from '../../server/features/starter.ts';
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

function ownersIn(tables: string): Readonly<Record<string, string | undefined>> {
  const known = readScripts([{ path: 'schema.sql', text: tables }]);
  if (known === undefined) throw new Error('No table was read.');
  return Object.fromEntries(starterTables(known).map(({ name, owner }) => [name, owner]));
}
