import { expect, test } from 'vitest';
import { analyze, messageOf, readScripts } from '../../../server/engine/index.ts';

const tables = `CREATE TYPE state AS ENUM ('booked', 'open');
CREATE TABLE visits (id uuid PRIMARY KEY, status state NOT NULL, kind text CHECK (kind IN ('first', 'next')), title text);
`;

/** Returns each marked text with its message. */
function found(condition: string, more = ''): readonly string[] {
  const source = readScripts([{ path: 'a.sql', text: tables + more }]);
  const text = `config: { edition: 3 }\nstreams:\n  mine:\n    query: |\n      SELECT id FROM visits WHERE ${condition}\n`;
  return analyze(text, { kind: 'sync', catalog: source?.catalog })
    .findings.filter(({ code }) => code === 'unlisted-value')
    .map((finding) => `${text.slice(finding.span.start, finding.span.end)}: ${messageOf(finding)}`);
}

test.each([
  "status = 'boked'",
  "status != 'boked'",
  "'boked' = status",
  "status IN ARRAY['open', 'boked']",
  "CASE status WHEN 'boked' THEN 1 ELSE 0 END = 1",
  "visits.status = 'boked' AND title = 'x'",
])('A value that an enum does not list is reported: %s', (condition) => {
  expect(found(condition)).toEqual(["'boked': `status` is never `boked`. Did you mean `booked`?"]);
});

test('The message lists all values if none is similar', () => {
  expect(found("status = 'gone'")).toEqual([
    "'gone': `status` is never `gone`. Its type lists `booked`, `open`.",
  ]);
});

test.each([
  ["status = 'open'", ''],
  ["status = auth.parameter('status')", ''],
  ["title = 'boked'", ''],
  // The constraint may have been dropped in the meantime.
  ["kind = 'other'", ''],
  ["status = 'late'", "ALTER TYPE state ADD VALUE 'late';"],
  ["status = 'late'", "ALTER TYPE state RENAME VALUE 'open' TO 'late';"],
  ["status = 'late'", "DROP TYPE state; CREATE TYPE state AS ENUM ('late');"],
  [
    "status = 'late'",
    "CREATE TYPE s2 AS ENUM ('late'); ALTER TABLE visits ALTER status TYPE s2; ALTER TYPE s2 RENAME TO state;",
  ],
  [
    "status = 'late'",
    "CREATE TYPE s2 AS ENUM ('late'); ALTER TYPE state RENAME TO old; ALTER TYPE s2 RENAME TO state;",
  ],
])('Nothing is reported for %s %s', (condition, more) => {
  expect(found(condition, more)).toEqual([]);
});
