import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SqlResult, World } from '../../client/cli/world.ts';
import { headwater } from '../support/cli/cliWorld.ts';

const embedded = (more = '') => `replication: { connections: [{ type: embedded${more} }] }`;
const selected: SqlResult = {
  command: 'SELECT',
  rowCount: 2,
  columns: ['id', 'body'],
  rows: [
    ['1', 'two\nlines'],
    ['10', null],
  ],
};

function asks(results: readonly SqlResult[] = []) {
  const asked: string[] = [];
  const runSql: World['runSql'] = async (url, statements) => {
    asked.push(`${url} ${statements}`);
    return results;
  };
  return { asked, world: { runSql } };
}

test('the database is the embedded one of the service config', async () => {
  const { asked, world } = asks();
  const files = {
    'service.yaml': embedded(', port: 5499'),
    'named.yaml': embedded(', port: 5499, password: "a b"'),
    'more.sql': 'SELECT 2',
    [join('.headwater', 'source', 'headwater.password')]: 'kept\n',
  };
  await headwater(['sql', 'SELECT 1'], { files, world });
  await headwater(['sql', '-f', 'more.sql'], { files, world });
  await headwater(['sql', 'SELECT 3', '-d', 'postgresql://elsewhere/app'], { files, world });
  await headwater(['sql', 'SELECT 4', '-c', 'named.yaml'], { files, world });
  expect(asked).toEqual([
    'postgresql://postgres:kept@127.0.0.1:5499/postgres SELECT 1',
    'postgresql://postgres:kept@127.0.0.1:5499/postgres SELECT 2',
    'postgresql://elsewhere/app SELECT 3',
    'postgresql://postgres:a%20b@127.0.0.1:5499/postgres SELECT 4',
  ]);
});

test('rows are drawn side by side, a line each; changes are counted', async () => {
  const inserted = { command: 'INSERT', rowCount: 1, columns: [], rows: [] };
  const created = { command: 'CREATE', rowCount: undefined, columns: [], rows: [] };
  const { world } = asks([created, inserted, selected]);
  const { code, out } = await headwater(['sql', '…', '-d', 'postgresql://a/b'], { world });
  expect(code).toBe(0);
  expect(out).toEqual([
    ...['CREATE', 'INSERT: 1 row'],
    ...['id  body', '──  ──────────', '1   two\\nlines', '10  ∅', '2 rows'],
  ]);
});

test('programs get the rows as they are', async () => {
  const { world } = asks([selected]);
  const { out } = await headwater(['sql', '…', '-d', 'postgresql://a/b', '--json'], { world });
  expect(JSON.parse(out.join('\n'))).toEqual({ results: [selected] });
});

test.each([
  ['nothing to run', [], {}, 'Specify either SQL in quotes or one file'],
  ['two things to run', ['SELECT 1', '-f', 'a.sql'], {}, 'Specify either SQL in quotes or one file'],
  ['no service config', ['SELECT 1'], {}, 'No service.yaml found here.'],
  [
    'a database of others',
    ['SELECT 1'],
    { 'service.yaml': 'replication: { connections: [{ type: postgresql, uri: x }] }' },
    'service.yaml has no embedded database',
  ],
  ['no password yet', ['SELECT 1'], { 'service.yaml': embedded(', port: 5499') }, 'Is the service running?'],
  ['no port', ['SELECT 1'], { 'service.yaml': embedded() }, 'Set a port (port: 5499)'],
])('%s is told', async (_, args, files, sentence) => {
  const { asked, world } = asks();
  const { code, err } = await headwater(['sql', ...args], { files, world });
  expect([code, asked]).toEqual([2, []]);
  expect(err.join('\n')).toContain(sentence);
});
