import { describe, expect, test } from 'vitest';
import { analyze, plansOf, readScripts, selectUsers, usersTableOf } from '../../server/engine/index.ts';

/** Returns the users table of a config and a schema, or undefined if the users are unknown. */
function usersOf(queries: readonly string[], ddl: string) {
  const streams = queries.map((query, at) => `  s${at}:\n    query: ${query}\n`);
  const known = readScripts([{ path: 'schema.sql', text: ddl }]);
  const { config } = analyze(`config:\n  edition: 3\nstreams:\n${streams.join('')}`, {
    kind: 'sync',
    ...known,
  });
  if (config === undefined) throw new Error('This is not a sync config.');
  return usersTableOf(plansOf(config), known?.catalog);
}

/** Draws a line such as `public.users.id: name | email, phone`. */
function draw(...given: Parameters<typeof usersOf>): string {
  const users = usersOf(...given);
  if (users === undefined) return 'unknown';
  const textOf = ({ column, profile }: (typeof users.names)[number]): string =>
    profile === undefined ? column : `${profile.schema}.${profile.name}.${column} by ${profile.key}`;
  const labels = [users.names, users.addresses].map((columns) => columns.map(textOf).join(', '));
  return `${users.schema}.${users.name}.${users.key}: ${labels.join(' | ')}`;
}

const supabase = `CREATE TABLE auth.users (id uuid PRIMARY KEY, email varchar(255), encrypted_password varchar(255),
  raw_user_meta_data jsonb, phone text);`;
const lists = 'SELECT * FROM lists WHERE owner_id = auth.user_id()';
const plainLists = 'CREATE TABLE lists (id uuid PRIMARY KEY, owner_id uuid);';

describe('The users are', () => {
  test('the rows to which an owner column refers', () => {
    const ddl = `CREATE TABLE users (id text PRIMARY KEY, name text, email text, password text);
      CREATE TABLE lists (id text PRIMARY KEY, owner_id text REFERENCES users (id));`;
    expect(draw([lists], ddl)).toBe('public.users.id: name | email');
  });

  test('the rows to which members refer, by any name and in any schema', () => {
    const ddl = `CREATE TABLE app.staff (badge text PRIMARY KEY, first_name text, last_name text);
      CREATE TABLE crews (boat_id text, sailor text REFERENCES app.staff (badge));
      CREATE TABLE boats (id text PRIMARY KEY);`;
    const boats = 'SELECT * FROM boats WHERE id IN (SELECT boat_id FROM crews WHERE sailor = auth.user_id())';
    expect(draw([boats], ddl)).toBe('app.staff.badge: first_name, last_name | ');
  });

  test('in Supabase, those of auth.users, with the names of their profiles', () => {
    const ddl = `${supabase} CREATE TABLE profiles (id uuid PRIMARY KEY REFERENCES auth.users (id), "fullName" text, website text);
      CREATE TABLE lists (id uuid PRIMARY KEY, owner_id uuid REFERENCES profiles (id));`;
    expect(draw([lists], ddl)).toBe('auth.users.id: public.profiles.fullName by id | email, phone');
  });

  test('in Supabase, those of auth.users even if nothing refers to them', () => {
    expect(draw([lists], supabase + plainLists)).toBe('auth.users.id:  | email, phone');
  });

  test('the rows whose own id is compared with that of the user', () => {
    const ddl = 'CREATE TABLE users (id text PRIMARY KEY, username text, labels text[]);';
    expect(draw(['SELECT * FROM users WHERE id = auth.user_id()'], ddl)).toBe('public.users.id: username | ');
  });

  test('those to which most columns refer', () => {
    const ddl = `CREATE TABLE people (id text PRIMARY KEY); CREATE TABLE robots (id text PRIMARY KEY);
      CREATE TABLE a (id text, who text REFERENCES people (id)); CREATE TABLE b (id text, who text REFERENCES robots (id));
      CREATE TABLE c (id text, who text REFERENCES robots (id));`;
    const queries = ['a', 'b', 'c'].map((table) => `SELECT * FROM ${table} WHERE who = auth.user_id()`);
    expect(draw(queries, ddl)).toBe('public.robots.id:  | ');
    expect(draw(queries.slice(0, 2).toReversed(), ddl)).toBe('public.people.id:  | ');
  });
});

describe('The users are unknown', () => {
  test.each([
    ['if no column refers to another table', [lists], plainLists],
    [
      'if only a column refers to users that the config does not compare',
      ['SELECT * FROM lists'],
      `
      CREATE TABLE users (id uuid PRIMARY KEY); CREATE TABLE lists (id uuid, owner_id uuid REFERENCES users (id));`,
    ],
    [
      'if the column refers to a table that is not known',
      [lists],
      'CREATE TABLE lists (id uuid, owner_id uuid REFERENCES users (id));',
    ],
    [
      'if a claim other than the id is compared',
      ["SELECT * FROM lists WHERE owner_id = auth.parameter('org')"],
      `
      CREATE TABLE orgs (id uuid PRIMARY KEY); CREATE TABLE lists (id uuid, owner_id uuid REFERENCES orgs (id));`,
    ],
    [
      'if a table only has the name of users',
      [lists],
      `${plainLists} CREATE TABLE users (id uuid PRIMARY KEY);`,
    ],
    [
      'if auth.users is not the table of Supabase',
      [lists],
      `${plainLists} CREATE TABLE auth.users (id uuid PRIMARY KEY);`,
    ],
  ])('%s', (_, queries, ddl) => {
    expect(draw(queries, ddl)).toBe('unknown');
  });

  test('without a catalog', () => {
    const { config } = analyze(`config:\n  edition: 3\nstreams:\n  s:\n    query: ${lists}\n`, {
      kind: 'sync',
    });
    expect(config && usersTableOf(plansOf(config), undefined)).toBeUndefined();
  });

  test('if references form a circle of unknown length, the search ends', () => {
    const ddl = `CREATE TABLE a (id text PRIMARY KEY, x text); CREATE TABLE lists (id text, owner_id text REFERENCES a (x));
      ALTER TABLE a ADD FOREIGN KEY (x) REFERENCES lists (owner_id);`;
    expect(draw([lists], ddl)).toMatch(/^public\.(a|lists)\./);
  });
});

test('The statement contains the search only as a parameter, and quotes names', () => {
  const ddl = `CREATE TABLE "o""users" ("the id" text PRIMARY KEY, name text);
    CREATE TABLE lists (id text, owner_id text REFERENCES "o""users" ("the id"));`;
  const users = usersOf([lists], ddl);
  const sql = users && selectUsers(users);
  expect(sql).toContain('FROM "public"."o""users" AS u WHERE u."the id" IS NOT NULL');
  expect(sql?.match(/\$\d/g)).toEqual(['$1', '$1', '$2']);
});
