/** No fix that is applied automatically changes who gets which rows. */
import { expect, test } from 'vitest';
import { analyze, readSqlFiles } from '../../../server/engine/index.ts';
import { fixesOf } from '../../../server/features/actions/quickFixes.ts';
import { sureFixes } from '../../../server/features/actions/sureFixes.ts';

const catalog = readSqlFiles([
  {
    path: 'tables.sql',
    text: `CREATE TABLE tasks (id text, created_at text, used_id text, user_id text, org_id text);
CREATE TABLE members (id text, org_id text, user_id text);
CREATE TABLE people (id text, name text, salary int, manager text);`,
  },
])?.catalog;

const read = (streams: string) =>
  analyze(`config:\n  edition: 3\nstreams:\n${streams}`, { kind: 'sync', catalog });
const query = (sql: string) => read(`  mine:\n    query: ${sql}\n`);

test.each([
  'SELECT * FROM tasks WHERE created_by = auth.user_id()',
  'SELECT * FROM tasks WHERE usr_id = auth.user_id()',
  'SELECT tasks.* FROM tasks JOIN members ON members.orgid = tasks.org_id WHERE members.user_id = auth.user_id()',
  'SELECT * FROM tasks WHERE org_id IN (SELECT org_di FROM members WHERE user_id = auth.user_id())',
  'SELECT * FROM tsks WHERE user_id = auth.user_id()',
  'SELECT id, usr_id FROM tasks WHERE user_id = auth.user_id()',
  'SELECT * FROM tasks WHERE user_id = auth.usr_id()',
])('%s: no similar name is written automatically', (sql) => {
  const analysis = query(sql);
  const fixes = analysis.findings.flatMap((finding) => fixesOf(analysis, finding));
  expect(fixes.some(({ title }) => title.startsWith('Write'))).toBe(true);
  expect(fixes.filter(({ isSure }) => isSure)).toEqual([]);
  expect(sureFixes(analysis)).toEqual([]);
});

test('A fix that does not change the rows of clients is applied automatically', () => {
  expect(sureFixes(query('SELECT DISTINCT * FROM tasks WHERE user_id = auth.user_id()'))).not.toEqual([]);
});

test('The title of a fix that adds a column shows who gains it', () => {
  const analysis = read(
    "  me:\n    query: SELECT id, name, salary FROM people WHERE id = auth.user_id()\n  colleagues:\n    query: SELECT id, name FROM people WHERE manager = auth.parameter('manager')\n",
  );
  const titles = analysis.findings.flatMap((finding) => fixesOf(analysis, finding)).map(({ title }) => title);
  expect(titles).toContain('Add salary for users with manager in the token');
});
