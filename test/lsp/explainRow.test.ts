import { expect, test } from 'vitest';
import { type ExplainRowResult, explainRowRequest } from '../../server/protocol.ts';
import { canPull, connectClient } from '../support/client.ts';

const uri = 'file:///w/sync.yaml';
const config = `config:
  edition: 3
streams:
  mine:
    query: SELECT id, name FROM lists WHERE owner_id = auth.user_id() AND archived = 0
  all:
    query: SELECT id FROM lists
`;

async function explain(row: string, table = 'lists', text = config): Promise<ExplainRowResult> {
  const client = await connectClient(canPull);
  await client.open(uri, text);
  const result = await client.request<ExplainRowResult>(explainRowRequest, { uri, table, row });
  client.dispose();
  return result;
}

test('A row is told its buckets', async () => {
  const rules = await explain('{"id":"1","name":"a","owner_id":"ada","archived":0}');
  expect(rules?.map(({ stream }) => stream)).toEqual(['mine', 'all']);
  expect(rules?.[0]?.sentences.join()).toMatch(/^goes to bucket .*mine.*"ada".*, as lists \{.*"name":"a"/);
});

test('The condition that stands against a row is named with what it read, and where it is', async () => {
  const [rule] = (await explain('{"id":"1","name":"a","owner_id":"ada","archived":1}')) ?? [];
  expect(rule).toEqual({
    stream: 'mine',
    sentences: ['goes nowhere: archived = 0 does not hold, with archived = 1'],
    place: { line: 4, character: config.split('\n')[4]?.indexOf('archived') },
  });
});

test('A key that is NULL leads nowhere', async () => {
  const [rule] = (await explain('{"id":"1","owner_id":null,"archived":0}')) ?? [];
  expect(rule?.sentences.join()).toMatch(/goes nowhere/);
});

test.each([
  ['{"id":"1"}', 'others', config, []],
  ['[1]', 'lists', config, null],
  ['{"id":"1"}', 'lists', 'kind: Service', null],
])('%s of %s', async (row, table, text, expected) => {
  expect(await explain(row, table, text)).toEqual(expected);
});
