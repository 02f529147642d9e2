/** The tables that a pattern matches, and the tables on clients that its rows can become. */
import { expect, test } from 'vitest';
import { canBecome, matchedSuffix, matchesTable } from '../../../server/engine/plan/evaluate/patterns.ts';
import { tableNamed } from '../../../server/engine/plan/evaluate/scope.ts';
import type { RowRule, TablePattern } from '../../../server/engine/plan/plan.ts';

/** Reads a pattern such as `public.todos_%`. */
function patternOf(text: string): TablePattern {
  const [schema = '', name = ''] = text.split('.');
  const read = (part: string) => ({ text: part.replace('%', ''), wildcard: part.endsWith('%') });
  return { tag: 'default', schema: read(schema), name: read(name) };
}

test.each<[string, string, string | undefined]>([
  ['public.todos', 'public.todos', ''],
  ['public.todos', 'public.todos_1', undefined],
  ['public.todos', 'public.Todos', undefined],
  ['public.todos', 'app.todos', undefined],
  ['public.todos_%', 'public.todos_1', '1'],
  ['public.todos_%', 'public.todos_', ''],
  ['public.todos_%', 'public.todos', undefined],
  ['public.todos_%', 'public.my_todos_', undefined],
  ['app%.todos', 'app2.todos', ''],
  ['app%.todos', 'my_app.todos', undefined],
])('%s matches %s with the suffix %j', (pattern, name, suffix) => {
  const table = tableNamed(name, { defaultSchema: 'none' });
  expect(matchesTable(patternOf(pattern), table)).toBe(suffix !== undefined);
  if (suffix !== undefined) expect(matchedSuffix(patternOf(pattern), table)).toBe(suffix);
  expect(matchesTable(patternOf(pattern), { ...table, tag: 'other' })).toBe(false);
});

test.each([
  ['todos', { tag: 'default', schema: 'public', name: 'todos' }],
  ['app.todos', { tag: 'default', schema: 'app', name: 'todos' }],
  ['app.todos.old', { tag: 'default', schema: 'app', name: 'todos.old' }],
  ['.todos', { tag: 'default', schema: '', name: 'todos' }],
])('the name %s has a schema before its first dot', (name, table) => {
  expect(tableNamed(name, { defaultSchema: 'public' })).toEqual(table);
});

test.each<[string, string | undefined, string, boolean]>([
  ['public.todos', undefined, 'todos', true],
  ['public.todos', undefined, 'tasks', false],
  ['public.todos_%', undefined, 'todos_1', true],
  ['public.todos_%', 'todos', 'todos', true],
  ['public.todos_%', 'todos', 'todos_1', false],
])('rows of %s with the output table %s can become %s: %s', (pattern, outputTable, name, can) => {
  const rule = { table: patternOf(pattern), ...(outputTable !== undefined && { outputTable }) } as RowRule;
  expect(canBecome(rule, name)).toBe(can);
});
