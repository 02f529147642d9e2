/** The message for an unknown name depends on the origin of the schema: the files of a project, or a database. */
import { expect, test } from 'vitest';
import { analyze, messageOf, readServiceSchema, readSqlFiles } from '../../server/engine/index.ts';

const files = readSqlFiles([{ path: 'schema.sql', text: 'create table tasks (id text, title text);' }]);
const columns = ['id', 'title'].map((name) => ({ name, type: 'text', pg_type: 'text' }));
const answer = { connections: [{ schemas: [{ name: 'public', tables: [{ name: 'tasks', columns }] }] }] };
const database = readServiceSchema({ data: { defaultSchema: 'public', ...answer } });

const streams = `config: { edition: 3 }
streams:
  a: { query: SELECT * FROM tsks }
  b: { query: SELECT * FROM pubic.tasks }
  c: { query: 'SELECT id, titel FROM tasks' }
`;
const older = `bucket_definitions:
  a: { data: [SELECT * FROM tsks, 'SELECT id, titel FROM tasks'] }
`;

const inFiles = [
  'No file of this project creates a table `tsks`. Did you mean `tasks`?',
  'No file of this project creates tables in a schema `pubic`. Did you mean `public`?',
  'No file of this project creates a column `titel` in `tasks`. Did you mean `title`?',
];
const inDatabase = [
  'There is no table `tsks` in the source. Did you mean `tasks`?',
  'There is no schema `pubic` in the source. Did you mean `public`?',
  '`tasks` has no column `titel`. Did you mean `title`?',
];

const saidOf = (analysis: ReturnType<typeof analyze>) =>
  analysis.findings.filter(({ code }) => code.startsWith('unknown-')).map(messageOf);

test.each([
  ['files', files, inFiles],
  ['a database', database, inDatabase],
])('the messages for unknown names fit a schema from %s', (_, known, expected) => {
  expect(saidOf(analyze(streams, known))).toEqual(expected);
  expect(saidOf(analyze(older, known))).toEqual(expected.filter((line) => !line.includes('pubic')));
});

test('the messages change with the origin of the schema even if the tables stay the same', () => {
  const previous = analyze(streams, files);
  expect(saidOf(analyze(streams, { ...database, previous }))).toEqual(inDatabase);
});
