/**
 * The leaks that our rules know, with the rule turned off: if a service ran a config that a rule reports, it would break
 * a claim about the intended access, and the search finds this. In the corrected config, the search finds nothing.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { analyze, readSqlFiles } from '../../../server/engine/index.ts';
import { searchClaim } from '../../../server/engine/tests/search/always.ts';
import { finish } from '../../../server/engine/tests/search/search.ts';
import { type OpenJudge, openJudge } from '../../../server/shared/claimJudge.ts';
import { subjectOf } from '../../support/engine/accessTests.ts';
import { claimOf, stopAfter } from '../../support/engine/claims.ts';
import { root } from '../../support/house/imports.ts';

let sqlite: OpenJudge;
beforeAll(async () => {
  sqlite = await openJudge();
});
afterAll(() => sqlite.close());

interface KnownLeak {
  readonly code: string;
  /** The config that the rule reports. */
  readonly wrong: string;
  /** The config that a service would actually enforce. Absent: the wrong config as it is written. */
  readonly enforced?: string;
  readonly right: string;
  readonly table: string;
  readonly claim: string;
}

const streams = (query: string, edition = 3) =>
  `config: { edition: ${edition} }\nstreams:\n  s:\n    auto_subscribe: true\n    query: ${JSON.stringify(query)}\n`;
const buckets = (parameters: string, data: string) =>
  `bucket_definitions:\n  mine:\n    parameters: ${JSON.stringify(parameters)}\n    data:\n      - ${JSON.stringify(data)}\n`;

const leaks: readonly KnownLeak[] = [
  {
    code: 'same-parameter-twice',
    wrong: buckets(
      'SELECT request.user_id() AS u',
      'SELECT * FROM tasks WHERE owner_id = bucket.u AND editor_id = bucket.u',
    ),
    enforced: buckets('SELECT request.user_id() AS u', 'SELECT * FROM tasks WHERE owner_id = bucket.u'),
    right: buckets(
      'SELECT request.user_id() AS u, request.user_id() AS v',
      'SELECT * FROM tasks WHERE owner_id = bucket.u AND editor_id = bucket.v',
    ),
    table: 'tasks',
    claim: 'owner_id = auth.user_id() AND editor_id = auth.user_id()',
  },
  {
    code: 'star-subquery',
    wrong: streams(
      'SELECT * FROM tasks WHERE list_id IN (SELECT * FROM lists WHERE owner_id = auth.user_id())',
      2,
    ),
    enforced: streams('SELECT * FROM tasks', 2),
    right: streams(
      'SELECT * FROM tasks WHERE list_id IN (SELECT id FROM lists WHERE owner_id = auth.user_id())',
      2,
    ),
    table: 'tasks',
    claim: 'EXISTS (SELECT 1 FROM lists WHERE lists.id = tasks.list_id AND lists.owner_id = auth.user_id())',
  },
  {
    // The OR is read as if its other side were also compared with the parameter, so the rows of that side are in every bucket.
    code: 'or-parameters-mismatch',
    wrong: buckets(
      'SELECT request.user_id() AS u',
      'SELECT * FROM tasks WHERE owner_id = bucket.u OR editor_id = 1',
    ),
    enforced: streams('SELECT * FROM tasks WHERE owner_id = auth.user_id() OR editor_id = 1'),
    right: buckets('SELECT request.user_id() AS u', 'SELECT * FROM tasks WHERE owner_id = bucket.u'),
    table: 'tasks',
    claim: 'owner_id = auth.user_id()',
  },
  {
    code: 'negated-in-expansion',
    wrong: streams(`SELECT * FROM tasks WHERE NOT (kind IN '["x","y"]')`),
    // The condition is true as soon as one element differs.
    enforced: streams("SELECT * FROM tasks WHERE NOT (kind = 'x') OR NOT (kind = 'y')"),
    right: streams(`SELECT * FROM tasks WHERE kind IS NOT NULL AND kind NOT IN '["x","y"]'`),
    table: 'tasks',
    claim: "kind NOT IN ('x', 'y')",
  },
  {
    code: 'negated-subquery',
    wrong: streams(
      'SELECT * FROM tasks WHERE list_id NOT IN (SELECT id FROM lists WHERE owner_id = auth.user_id())',
    ),
    // There is always a list that differs from the list of the task.
    enforced: streams('SELECT * FROM tasks'),
    right: streams('SELECT * FROM tasks WHERE list_id IS NULL'),
    table: 'tasks',
    claim:
      'list_id IS NULL OR list_id NOT IN (SELECT lists.id FROM lists WHERE lists.owner_id = auth.user_id())',
  },
  {
    code: 'ignored-statement',
    wrong: streams('SELECT * FROM tasks; SELECT * FROM tasks WHERE owner_id = auth.user_id()'),
    enforced: streams('SELECT * FROM tasks'),
    right: streams('SELECT * FROM tasks WHERE owner_id = auth.user_id()'),
    table: 'tasks',
    claim: 'owner_id = auth.user_id()',
  },
  {
    code: 'not-equal-null',
    wrong: streams("SELECT * FROM tasks WHERE kind != 'draft'"),
    right: streams("SELECT * FROM tasks WHERE kind != 'draft' AND kind IS NOT NULL"),
    table: 'tasks',
    claim: "kind <> 'draft'",
  },
  {
    code: 'unused-join',
    wrong: streams('SELECT tasks.* FROM tasks, lists WHERE tasks.owner_id = auth.user_id()'),
    right: streams(
      'SELECT tasks.* FROM tasks, lists WHERE tasks.owner_id = auth.user_id() AND lists.id = tasks.list_id AND lists.owner_id = auth.user_id()',
    ),
    table: 'tasks',
    claim: 'EXISTS (SELECT 1 FROM lists WHERE lists.id = tasks.list_id)',
  },
  {
    code: 'unused-cte',
    wrong: `${streams('SELECT * FROM tasks')}    with:\n      mine: SELECT id FROM lists WHERE owner_id = auth.user_id()\n`,
    right: `${streams('SELECT * FROM tasks WHERE list_id IN mine')}    with:\n      mine: SELECT id FROM lists WHERE owner_id = auth.user_id()\n`,
    table: 'tasks',
    claim: 'EXISTS (SELECT 1 FROM lists WHERE lists.id = tasks.list_id AND lists.owner_id = auth.user_id())',
  },
  {
    code: 'unauthenticated-parameter',
    wrong: streams("SELECT * FROM tasks WHERE owner_id = connection.parameter('me')"),
    right: streams('SELECT * FROM tasks WHERE owner_id = auth.user_id()'),
    table: 'tasks',
    claim: 'owner_id = auth.user_id()',
  },
  {
    code: 'reads-rows-of-others',
    wrong: `${streams('SELECT * FROM notes WHERE owner_id = auth.user_id()')}  notes:\n    auto_subscribe: true\n    query: SELECT * FROM notes\n`,
    right: streams('SELECT * FROM notes WHERE owner_id = auth.user_id()'),
    table: 'notes',
    claim: 'owner_id = auth.user_id()',
  },
];

const tables = `CREATE TABLE tasks (id text, kind text, owner_id text, editor_id text, list_id text, is_hidden int);
CREATE TABLE lists (id text, owner_id text); CREATE TABLE notes (id text, owner_id text);`;

describe.each(leaks)('$code', ({ code, wrong, enforced = wrong, right, table, claim }) => {
  const search = (text: string) => {
    const always = claimOf(table, claim);
    return finish(searchClaim(always, subjectOf(text), undefined, sqlite.judge, stopAfter(4_000)));
  };

  test('is reported by a rule', () => {
    const catalog = readSqlFiles([{ path: 'tables.sql', text: tables }])?.catalog;
    expect(analyze(wrong, { kind: 'sync', catalog }).findings.map((finding) => finding.code)).toContain(code);
  });

  test('is found by the search without the rule', () => {
    expect(search(enforced).kind).toBe('counterexample');
  });

  test('is proven to be absent in the corrected config', () => {
    expect(search(right)).toMatchObject({ kind: 'proven' });
  });
});

test('Each rule whose page mentions rows that reach too many users is tested here', () => {
  const folder = join(root, 'docs/rules');
  const speaks = readdirSync(folder).filter((name) => {
    const [reason = ''] = readFileSync(join(folder, name), 'utf8').replaceAll('\n', ' ').split(' ## ');
    return /\bleak|\bto everyone|everyone can read|more users|clients get rows/.test(reason);
  });
  const here = new Set(leaks.map(({ code }) => `${code}.md`));
  expect(speaks.length).toBeGreaterThan(4);
  expect(speaks.filter((name) => !here.has(name))).toEqual([]);
});
