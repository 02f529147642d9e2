/** Fixes for names that do not exist. Each fix writes what the user probably meant. */
import { expect, test } from 'vitest';
import { analyze, readScripts } from '../../../server/engine/index.ts';
import { applyEdits } from '../../../server/engine/text/edit.ts';
import { fixesOf } from '../../../server/features/actions/quickFixes.ts';

const source = readScripts([
  {
    path: 'a.sql',
    text: `CREATE TYPE visit_state AS ENUM ('booked', 'held');
CREATE TABLE visits (id uuid PRIMARY KEY, status visit_state, org_id uuid, photo bytea, title text);
CREATE TABLE members (id uuid PRIMARY KEY, org_id uuid, user_id uuid);
CREATE TABLE rooms (note text, code text PRIMARY KEY);
CREATE TABLE floors (number integer PRIMARY KEY, name text);`,
  },
]);

/** Returns each fix of each finding with the text after it. */
function fixed(text: string) {
  const analysis = analyze(text, { kind: 'sync', catalog: source?.catalog });
  return analysis.findings
    .flatMap((finding) => fixesOf(analysis, finding))
    .map(({ title, isSure, edits }) => ({ title, isSure: isSure === true, text: applyEdits(text, edits) }));
}

const stream = (query: string, more = '') =>
  `config:\n  edition: 3\n${more}streams:\n  mine:\n    query: ${query}\n`;
const ctes = 'with:\n  my_orgs: SELECT org_id FROM members WHERE user_id = auth.user_id()\n';

test.each([
  [
    'SELECT id FROM visits WHERE status = booked',
    "Write 'booked'",
    false,
    "SELECT id FROM visits WHERE status = 'booked'",
  ],
  [
    "SELECT id FROM visits WHERE status = 'boked'",
    "Write 'booked'",
    false,
    "SELECT id FROM visits WHERE status = 'booked'",
  ],
  [
    'SELECT id FROM visits WHERE org_id = subscription.org_id',
    "Write subscription.parameter('org_id')",
    false,
    "SELECT id FROM visits WHERE org_id = subscription.parameter('org_id')",
  ],
  [
    'SELECT id FROM visits WHERE org_id = connection.org_id',
    "Write connection.parameter('org_id')",
    false,
    "SELECT id FROM visits WHERE org_id = connection.parameter('org_id')",
  ],
  ['SELECT * FROM rooms', 'Add code AS id', false, 'SELECT *, code AS id FROM rooms'],
  [
    'SELECT f.* FROM floors f',
    'Add CAST(f.number AS text) AS id',
    false,
    'SELECT f.*, CAST(f.number AS text) AS id FROM floors f',
  ],
  [
    'SELECT id FROM visits WHERE title = hello',
    "Write 'hello'",
    false,
    "SELECT id FROM visits WHERE title = 'hello'",
  ],
  [
    'SELECT id FROM visits WHERE org_id = auth.parameter(org_id)',
    "Write 'org_id'",
    true,
    "SELECT id FROM visits WHERE org_id = auth.parameter('org_id')",
  ],
  [
    'SELECT id FROM visits WHERE org_id = auth.org_id',
    "Write auth.parameter('org_id')",
    false,
    "SELECT id FROM visits WHERE org_id = auth.parameter('org_id')",
  ],
  [
    'SELECT id, photo FROM visits',
    'Write base64(photo) AS photo',
    false,
    'SELECT id, base64(photo) AS photo FROM visits',
  ],
])('%s: %s', (before, title, isSure, after) => {
  expect(fixed(stream(before)).filter((one) => one.title === title)).toEqual([
    { title, isSure, text: stream(after) },
  ]);
});

test('A name is not turned into a text that the enum of the column does not list', () => {
  expect(fixed(stream('SELECT id FROM visits WHERE status = gone'))).toEqual([]);
});

test('A misspelt CTE is corrected, and the removal of the unused CTE is not marked as sure', () => {
  const query = (name: string) => stream(`SELECT id FROM visits WHERE org_id IN ${name}`, ctes);
  const found = fixed(query('my_orgz'));
  expect(found).toContainEqual({ title: 'Write my_orgs', isSure: false, text: query('my_orgs') });
  expect(found.filter(({ title }) => title === 'Remove the CTE').map(({ isSure }) => isSure)).toEqual([
    false,
  ]);
});

test('A stream at the indentation of `streams:` is moved below it', () => {
  const entry = 'visits:\n  query: |\n    SELECT id FROM visits\n\n    WHERE org_id IS NULL\n';
  const [first] = fixed(`config:\n  edition: 3\nstreams:\n${entry}`);
  expect(first).toEqual({
    title: 'Move under streams',
    isSure: true,
    text: `config:\n  edition: 3\nstreams:\n${entry.replaceAll(/^(?=.)/gm, '  ')}`,
  });
});

test.each([
  ['Close the parenthesis', "org_id = 'a' OR (title IS NULL AND status = 'held'", false],
  ['Close the parenthesis', "NOT (title IS NULL OR status = 'held'", false],
  ['Close the parenthesis', "auth.parameter('role' = 'admin'", false],
  [
    'Close the parenthesis',
    'org_id IN (SELECT org_id FROM members WHERE user_id = auth.user_id() AND id = org_id',
    false,
  ],
  ['Close the parenthesis', "title IS NULL AND (status = 'held'", true],
  ['Close the parenthesis', "title = auth.parameter('role'", true],
  ['Remove the parenthesis', "NOT title IS NULL AND org_id = auth.user_id()) OR status = 'held'", false],
  ['Remove the parenthesis', "title IS NULL AND (org_id = auth.user_id()) OR status = 'held')", false],
  ['Remove the parenthesis', "org_id = auth.user_id()) AND status = 'held'", true],
])('%s in %s: the fix is sure only if no other place would match other rows', (title, condition, isSure) => {
  const found = fixed(stream(`SELECT id FROM visits WHERE ${condition}`));
  expect(found.filter((one) => one.title === title).map((one) => one.isSure)).toEqual([isSure]);
});

test('A misspelt CTE in a subquery is not treated as a missing table', () => {
  const misspelt = stream('SELECT id FROM visits WHERE org_id IN (SELECT org_id FROM my_ogrs)', ctes);
  const found = fixed(misspelt);
  expect(found.filter(({ title }) => title.startsWith('Write'))).toEqual([
    { title: 'Write my_orgs', isSure: false, text: misspelt.replace('my_ogrs', 'my_orgs') },
  ]);
  // No fix is marked as sure, because a CTE determines which users get which rows.
  expect(found.filter(({ isSure }) => isSure)).toEqual([]);
});
