/** Fixes of SQL, each tested in all styles of scalars. */
import { describe, expect, test } from 'vitest';
import { analyze } from '../../../server/engine/index.ts';
import { applyEdits } from '../../../server/engine/text/edit.ts';
import { actions } from '../../../server/features/actions/actions.ts';
import { sqlTextsOf } from '../../../server/features/reading/sqlTexts.ts';
import { readCatalog } from '../../support/engine/catalog.ts';

const styles: readonly (readonly [string, (sql: string) => string])[] = [
  ['plain', (sql) => sql],
  ['plain in lines', (sql) => sql.replaceAll(' FROM ', '\n      FROM ')],
  ['single', (sql) => `'${sql.replaceAll("'", "''")}'`],
  ['double', (sql) => JSON.stringify(sql).replace('SELECT', '\\x53ELECT')],
  ['literal', (sql) => `|\n      ${sql.replaceAll(' FROM ', '\n        FROM ')}`],
  ['folded', (sql) => `>-\n      ${sql.replaceAll(' FROM ', '\n      FROM ')}`],
  ['literal with CRLF', (sql) => `|+\r\n      ${sql.replaceAll(' FROM ', '\r\n      FROM ')}\r\n`],
];

/** The query, the title of the fix, and the query after it. */
const rows: readonly (readonly [before: string, title: string, after: string])[] = [
  ['SELECT * FROM order', 'Quote the name', 'SELECT * FROM "order"'],
  ['SELECT id, FROM tasks', 'Remove the comma', 'SELECT id FROM tasks'],
  ["SELECT * FROM tasks WHERE kind == 'a'", 'Write =', "SELECT * FROM tasks WHERE kind = 'a'"],
  ['SELECT * FROM tasks ORDER BY id', 'Remove ORDER BY', 'SELECT * FROM tasks'],
  ['SELECT * FROM tasks WHERE done LIMIT 5', 'Remove LIMIT', 'SELECT * FROM tasks WHERE done'],
  ['SELECT DISTINCT id FROM tasks', 'Remove DISTINCT', 'SELECT id FROM tasks'],
  ['SELECT * FROM tasks; SELECT 1', 'Remove the ignored text', 'SELECT * FROM tasks'],
  [
    'SELECT tasks.* FROM tasks LEFT JOIN lists ON lists.id = tasks.list_id',
    'Write JOIN',
    'SELECT tasks.* FROM tasks JOIN lists ON lists.id = tasks.list_id',
  ],
  [
    "SELECT tasks.* FROM tasks JOIN lists USING (list_id) WHERE lists.kind = 'a'",
    'Write ON',
    "SELECT tasks.* FROM tasks JOIN lists ON tasks.list_id = lists.list_id WHERE lists.kind = 'a'",
  ],
  [
    "SELECT * FROM tasks WHERE org_id = auth.parameters('org_id')",
    'Write auth.parameter',
    "SELECT * FROM tasks WHERE org_id = auth.parameter('org_id')",
  ],
  [
    "SELECT * FROM tasks WHERE org_id = auth.claims('org_id')",
    'Write auth.parameter',
    "SELECT * FROM tasks WHERE org_id = auth.parameter('org_id')",
  ],
  [
    "SELECT * FROM tasks WHERE owner_id = auth.user_id('sub')",
    'Remove the arguments',
    'SELECT * FROM tasks WHERE owner_id = auth.user_id()',
  ],
  [
    'SELECT * FROM tasks WHERE owner_id = token_parameters.user_id',
    'Write auth.user_id()',
    'SELECT * FROM tasks WHERE owner_id = auth.user_id()',
  ],
  [
    'SELECT * FROM tasks WHERE list_id = bucket.list_id AND owner_id = auth.user_id()',
    "Write subscription.parameter('list_id')",
    "SELECT * FROM tasks WHERE list_id = subscription.parameter('list_id') AND owner_id = auth.user_id()",
  ],
  [
    'SELECT * FROM tasks WHERE list_id = :list_id AND owner_id = :user_id',
    "Write subscription.parameter('list_id')",
    "SELECT * FROM tasks WHERE list_id = subscription.parameter('list_id') AND owner_id = auth.user_id()",
  ],
  [
    'SELECT * FROM tasks WHERE list_id = {{list_id}}',
    "Write subscription.parameter('list_id')",
    "SELECT * FROM tasks WHERE list_id = subscription.parameter('list_id')",
  ],
  [
    "SELECT * FROM tasks WHERE id = ANY(auth.parameter('ids'))",
    'Write IN',
    "SELECT * FROM tasks WHERE id IN auth.parameter('ids')",
  ],
  [
    "SELECT id, concat(kind, '-', code) AS label FROM tasks",
    'Write ||',
    "SELECT id, (kind || '-' || code) AS label FROM tasks",
  ],
  [
    'SELECT x.* FROM tasks AS x JOIN lists AS l ON l.id = tasks.list_id WHERE l.owner = auth.user_id()',
    'Write x',
    'SELECT x.* FROM tasks AS x JOIN lists AS l ON l.id = x.list_id WHERE l.owner = auth.user_id()',
  ],
  [
    'SELECT tasks.*, lists.name AS list_name FROM tasks JOIN lists ON lists.id = tasks.list_id WHERE lists.owner = auth.user_id()',
    'Keep the columns of tasks only',
    'SELECT tasks.* FROM tasks JOIN lists ON lists.id = tasks.list_id WHERE lists.owner = auth.user_id()',
  ],
  ['SELECT * FROM taks', 'Write tasks', 'SELECT * FROM tasks'],
  ["SELECT * FROM tasks WHERE kindd = 'a'", 'Write kind', "SELECT * FROM tasks WHERE kind = 'a'"],
  ["SELECT * FROM tasks WHERE task.kind = 'a'", 'Write tasks', "SELECT * FROM tasks WHERE tasks.kind = 'a'"],
  ['SELECT code AS id, * FROM tasks', 'Put * first', 'SELECT *, code AS id FROM tasks'],
  ['SELECT id, upper(kind) FROM tasks', 'Name it upper', 'SELECT id, upper(kind) AS upper FROM tasks'],
  ['SELECT kind FROM tasks', 'Add the column id', 'SELECT id, kind FROM tasks'],
  [
    't.id: SELECT t.* FROM tasks t JOIN lists ON lists.id = t.list_id WHERE lists.owner = auth.user_id()'.slice(
      6,
    ),
    'Write AS "t"',
    'SELECT t.* FROM tasks AS "t" JOIN lists ON lists.id = t.list_id WHERE lists.owner = auth.user_id()',
  ],
  [
    'SELECT tasks.* FROM tasks JOIN lists ON lists.id = list_id',
    'Write tasks.list_id',
    'SELECT tasks.* FROM tasks JOIN lists ON lists.id = tasks.list_id',
  ],
  [
    "SELECT id, coalesce(kind, 'a') AS k FROM tasks",
    'Write ifnull',
    "SELECT id, ifnull(kind, 'a') AS k FROM tasks",
  ],
  ['SELECT id, uper(kind) AS k FROM tasks', 'Write upper', 'SELECT id, upper(kind) AS k FROM tasks'],
  [
    'SELECT * FROM tasks WHERE owner = request.user_id()',
    'Write auth.user_id',
    'SELECT * FROM tasks WHERE owner = auth.user_id()',
  ],
  [
    'SELECT * FROM tasks WHERE owner = auth.uid()',
    'Write auth.user_id',
    'SELECT * FROM tasks WHERE owner = auth.user_id()',
  ],
  [
    "SELECT * FROM tasks WHERE owner = auth.claim('boss')",
    'Write auth.parameter',
    "SELECT * FROM tasks WHERE owner = auth.parameter('boss')",
  ],
  [
    "SELECT * FROM tasks WHERE kind LIKE 'a%'",
    "Write substring(kind, 1, 1) = 'a'",
    "SELECT * FROM tasks WHERE substring(kind, 1, 1) = 'a'",
  ],
  [
    "SELECT * FROM tasks WHERE kind LIKE '%b%'",
    "Write instr(kind, 'b') > 0",
    "SELECT * FROM tasks WHERE instr(kind, 'b') > 0",
  ],
  ['SELECT id, -stars AS s FROM tasks', 'Write 0 - stars', 'SELECT id, (0 - stars) AS s FROM tasks'],
  [
    'SELECT id, CAST(stars AS int) AS s FROM tasks',
    'Write integer',
    'SELECT id, CAST(stars AS integer) AS s FROM tasks',
  ],
  [
    "SELECT * FROM tasks WHERE kind IN ('a', 'b')",
    'Write ARRAY[…]',
    "SELECT * FROM tasks WHERE kind IN ARRAY['a', 'b']",
  ],
  ["SELECT * FROM tasks WHERE kind IN ('a')", "Write = 'a'", "SELECT * FROM tasks WHERE kind = 'a'"],
  [
    'SELECT * FROM tasks WHERE NOT (kind IN tags)',
    'Write NOT IN',
    'SELECT * FROM tasks WHERE kind NOT IN tags',
  ],
  ['SELECT * FROM tasks WHERE kind = NULL', 'Write IS NULL', 'SELECT * FROM tasks WHERE kind IS NULL'],
  [
    'SELECT * FROM tasks WHERE NULL <> kind',
    'Write IS NOT NULL',
    'SELECT * FROM tasks WHERE kind IS NOT NULL',
  ],
  [
    'SELECT * FROM tasks WHERE list_id = (SELECT id FROM lists WHERE owner = auth.user_id())',
    'Write IN',
    'SELECT * FROM tasks WHERE list_id IN (SELECT id FROM lists WHERE owner = auth.user_id())',
  ],
];

const catalog = readCatalog(
  'create table tasks (id text not null, list_id text, code text, kind text, owner text, stars integer, done integer, tags text)\n' +
    'create table lists (id text not null, list_id text, owner text, kind text)',
);

describe.each(styles)('In a %s value', (_, write) => {
  test.each(rows)('%s → %s', (before, title, expected) => {
    const text = `config:\n  edition: 3\nstreams:\n  mine:\n    query: ${write(before)}\n`;
    const input = { kind: 'sync' as const, catalog };
    const analysis = analyze(text, input);
    const all = analysis.findings.flatMap(({ span }) =>
      actions(analysis, { selection: span, wants: (kind) => kind === 'quickfix', files, askedBy: 'user' }),
    );
    const action = all.find((one) => one.title === title);
    expect(all.map((one) => one.title)).toContain(title);
    const repaired = analyze(applyEdits(text, action?.edits ?? []), input);
    const [sql] = sqlTextsOf(repaired).map((placed) => placed.text.sql.text.replace(/\s+/g, ' ').trim());
    expect(sql).toBe(expected);
  });
});

const files = { exists: () => false, text: () => undefined };
