/** "No file of this project creates X" is said only if it holds for each file, also for those that are not part of the schema. */
import { expect, test } from 'vitest';
import {
  analyze,
  findSchemaFor,
  messageOf,
  readScripts,
  withFileKnowledge,
} from '../../../server/engine/index.ts';

const text = 'config: { edition: 3 }\nstreams: { gone: { query: SELECT * FROM gone } }\n';
const migration = { path: 'migrations/1.sql', text: 'CREATE TABLE lists (id uuid PRIMARY KEY);' };

function messagesWith(other: string, isCut = false): readonly string[] {
  const files = [migration, { path: 'archive/old.sql', text: other }];
  const { config } = analyze(text, { kind: 'sync' });
  const { scripts, isWhole } = findSchemaFor(config, files, 'sync.yaml');
  const read = readScripts(scripts);
  const source = read && withFileKnowledge(read, { isWhole, isCut });
  return analyze(text, { ...source, kind: 'sync' }).findings.map(messageOf);
}

test.each([
  ['rows', "INSERT INTO lists VALUES ('1');"],
  ['rights', 'GRANT EXECUTE ON FUNCTION f() TO anon;'],
])('another file with %s changes nothing', (_, other) => {
  expect(messagesWith(other)).toEqual(['No file of this project creates a table `gone`.']);
});

test.each([
  ['tables', 'CREATE TABLE gone (id uuid PRIMARY KEY);'],
  ['changed tables', 'ALTER TABLE gone ADD COLUMN a text;'],
  ['dynamic SQL', "DO $$ BEGIN EXECUTE 'x'; END $$;"],
])('another file with %s counts as a file, but not as a part of the schema', (_, other) => {
  expect(messagesWith(other)).toEqual(['The schema of this project has no table `gone`.']);
});

test('nothing is missing if there may be other files', () => {
  expect(messagesWith('', true)).toEqual([]);
});
