/** A stream is typed letter by letter in each style of YAML. At each letter, it has at most one error, at the cursor. */
import { describe, expect, test } from 'vitest';
import { severityOf } from '../../server/engine/diagnostics/diagnostics.ts';
import { analyze } from '../../server/engine/index.ts';
import { strideOf } from '../support/house/share.ts';

const queries = [
  'SELECT * FROM lists WHERE owner_id = auth.user_id()',
  'SELECT id, upper(name) AS name, a || b AS c FROM lists WHERE id IN (SELECT list_id FROM members WHERE user_id = auth.user_id()) AND NOT archived',
  `SELECT "id", 'x' AS kind FROM "Lists" WHERE region = auth.parameter('region') AND (a = 1 OR b IS NOT NULL)`,
  "SELECT tasks.id, tasks.name FROM tasks JOIN lists ON lists.id = tasks.list_id WHERE lists.owner_id = subscription.parameter('list')",
];

const inLines = (query: string) => query.replaceAll(/ (FROM|WHERE|JOIN|AND)\b/g, '\n      $1');
const inDouble = (query: string) => `"${query.replaceAll('"', '\\"')}"`;

const styles: Readonly<Record<string, (query: string) => string>> = {
  'a literal block': (query) => `    auto_subscribe: true\n    query: |\n      ${inLines(query)}\n`,
  'a folded block': (query) => `    priority: 1\n    query: >-\n      ${inLines(query)}\n`,
  'a plain value': (query) => `    query: ${query}\n`,
  'a plain value of many lines': (query) => `    query:\n      ${inLines(query)}\n`,
  'a list': (query) => `    queries:\n      - ${query}\n      - ${query}\n`,
  'double quotes': (query) => `    query: ${inDouble(query)}\n`,
  'single quotes': (query) => `    query: '${query.replaceAll("'", "''")}'\n`,
  'a CTE': (query) => `    with:\n      mine: ${query.replace('*', 'id')}\n    query: SELECT * FROM mine\n`,
  braces: (query) => `  { auto_subscribe: true, query: ${inDouble(query)} }\n`,
  'brackets in braces': (query) => `  { queries: [${inDouble(query)}] }\n`,
};

const before =
  'config:\n  edition: 3\nstreams:\n  one:\n    query: SELECT * FROM a WHERE o = auth.user_id()\n  two:';
const after = '  last:\n    query: SELECT * FROM b WHERE o = auth.user_id()\n';

describe.each(Object.entries(styles))('In %s', (_, written) => {
  test.each(queries.map((query, index) => [query, index] as const))('%s', (query, index) => {
    const value = written(query);
    const stream = value.startsWith('  {')
      ? value.trimStart().padStart(value.trimStart().length + 1)
      : `\n${value}`;
    // A letter that is skipped in one query is tried in another one.
    const stride = strideOf(1);
    const ends = [...stream].map((_letter, at) => at + 1).filter((end) => (end + index) % stride === 0);
    const worst = [after, ''].flatMap((below) =>
      ends.flatMap((end) => typedWrong(stream.slice(0, end), below)),
    );
    expect(worst).toEqual([]);
  });
});

/**
 * Returns the errors that should not be shown after this much has been typed. A line that is still empty is skipped,
 * because anything may follow.
 */
function typedWrong(typed: string, below: string): string[] {
  const line = typed.slice(typed.lastIndexOf('\n') + 1);
  if (line.trim() === '' || mayBeTable.test(typed)) return [];
  const text = `${before}${typed}\n${below}`;
  const cursor = before.length + typed.length;
  const errors = analyze(text, { fileName: 'sync.yaml' }).findings.filter(
    ({ code }) => severityOf(code) === 'error',
  );
  const start = text.lastIndexOf('\n', cursor - 1) + 1;
  const elsewhere = errors.filter(
    ({ span, code }) => (span.start < start && code !== 'query-or-queries') || span.start > cursor,
  );
  const wrong = errors.length > 1 ? errors : elsewhere;
  return wrong.length === 0
    ? []
    : [
        `${typed.slice(-40)}¦ ${wrong.map(({ code, span }) => `${code} ${text.slice(span.start, span.end)}`).join(', ')}`,
      ];
}

/** Matches an incomplete name in FROM, which is a table like any other, and an incomplete keyword, which is its alias. */
const mayBeTable = /(?:FROM|JOIN) \w+(?:\s+\w+)?$/;
