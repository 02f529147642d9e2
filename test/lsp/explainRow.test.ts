import { describe, expect, test } from 'vitest';
import {
  type ExplainRowResult,
  explainRowRequest,
  type GivenRow,
  type RowQueryResult,
  rowQueryRequest,
} from '../../server/protocol.ts';
import { canPull, connectClient } from '../support/editor/client.ts';

const uri = 'file:///w/sync.yaml';
const config = `config:
  edition: 3
streams:
  mine:
    query: SELECT id, name FROM lists WHERE owner_id = auth.user_id() AND archived = 0
  all:
    query: SELECT id FROM lists
`;

async function ask(row: GivenRow, table = 'lists', text = config): Promise<ExplainRowResult> {
  const client = await connectClient(canPull);
  await client.open(uri, text);
  const result = await client.request<ExplainRowResult>(explainRowRequest, { uri, table, row });
  client.dispose();
  return result;
}

async function explain(json: string, table?: string, text?: string) {
  const result = await ask({ kind: 'json', text: json }, table, text);
  return result?.rules ?? null;
}

test('The buckets of a row are explained', async () => {
  const rules = await explain('{"id":"1","name":"a","owner_id":"ada","archived":0}');
  expect(rules?.map(({ stream }) => stream)).toEqual(['mine', 'all']);
  expect(rules?.[0]?.sentences.join()).toMatch(/^goes to bucket .*mine.*"ada".*, as lists \{.*"name":"a"/);
});

test('The condition that excludes a row is reported with the values that it read, and with its place', async () => {
  const [rule] = (await explain('{"id":"1","name":"a","owner_id":"ada","archived":1}')) ?? [];
  expect(rule).toEqual({
    stream: 'mine',
    sentences: ['is not synced: archived = 0 does not hold, with archived = 1'],
    place: { line: 4, character: config.split('\n')[4]?.indexOf('archived') },
  });
});

test('A row whose key is NULL is not synced', async () => {
  const [rule] = (await explain('{"id":"1","owner_id":null,"archived":0}')) ?? [];
  expect(rule?.sentences.join()).toMatch(/is not synced: /);
});

test.each([
  ['{"id":"1"}', 'others', config, []],
  ['[1]', 'lists', config, null],
  ['{"id":"1"}', 'lists', 'kind: Service', null],
])('No stream is explained for %s of %s', async (row, table, text, expected) => {
  expect(await explain(row, table, text)).toEqual(expected);
});

describe('A row of the source', () => {
  /** The answer of PostgreSQL for a row of a table with these columns. */
  const record = JSON.stringify({
    columns: [
      { name: 'id', type: '23' },
      { name: 'is_public', type: '16' },
      { name: 'tags', type: '1009' },
      { name: 'made', type: '1184' },
      { name: 'size', type: '701' },
      { name: 'content', type: '17' },
    ],
    types: [{ oid: '1009', name: '_text', kind: 'b', element: '25', delimiter: ',', base: '0' }],
    record: '(1,t,"{red,""dark blue""}","2024-01-02 03:04:05+00",3,"\\\\x00ff")',
  });
  const query = "SELECT id FROM lists WHERE is_public AND 'red' IN tags";

  test('is converted as in replication, with the options of the config', async () => {
    const iso = `config:\n  edition: 3\nstreams:\n  mine:\n    query: ${query}\n`;
    const result = await ask({ kind: 'record', text: record }, 'lists', iso);
    expect(result?.rules[0]?.sentences.join()).toMatch(/^goes to bucket/);
    expect(result?.row).toBe(`{
  "id": 1,
  "is_public": 1,
  "tags": "[\\"red\\",\\"dark blue\\"]",
  "made": "2024-01-02T03:04:05.000000Z",
  "size": 3.0,
  "content": a BLOB of 2 bytes
}`);
    const plain = `bucket_definitions:\n  mine:\n    data: [SELECT id, made FROM lists]\n`;
    const older = await ask({ kind: 'record', text: record }, 'lists', plain);
    expect(older?.row).toContain('"made": "2024-01-02 03:04:05Z"');
  });

  test.each(['', 'null', '{}', '{"record":1}', '{"record":"(1","columns":[{"name":"id","type":23}]}'])(
    'is not explained if the answer is %j',
    async (text) => {
      expect(await ask({ kind: 'record', text })).toBeNull();
    },
  );

  test('is requested by a statement that quotes names', async () => {
    const client = await connectClient(canPull);
    const table = { schema: 'a.b', name: 'it"s', key: 'Id' };
    const sql = await client.request<RowQueryResult>(rowQueryRequest, table);
    client.dispose();
    expect(sql).toContain('FROM ONLY "a.b"."it""s" AS t WHERE t."Id"::text = $1');
  });
});
