import { expect, test } from 'vitest';
import { analyze, readRow, rowSentences, tableNamed, traceConfig } from '../../../server/engine/index.ts';

const text = `config: { edition: 3 }
with:
  mine: SELECT list_id FROM members WHERE user_id = auth.user_id()
streams:
  lists: { query: SELECT id FROM lists WHERE owner_id = auth.user_id() AND archived = 0 }
  todos: { query: SELECT id FROM todos WHERE list_id IN mine }
  versions: { query: SELECT id FROM app."v1.lists" }
`;

function sentences(table: string, json: string): readonly string[] {
  const { config } = analyze(text);
  const row = readRow(json);
  if (config === undefined || row === undefined) throw new Error('not a sync config and a row');
  const { tracer, rowOf, at } = traceConfig(config);
  return tracer
    .row(tableNamed(table, config.surroundings), rowOf(row))
    .flatMap((rule) => rowSentences(rule, (origin) => at(rule.stream, origin).sql));
}

test.each([
  ['lists', '{"id":"1","owner_id":"ada","archived":0}', 'goes to bucket lists|0["ada"], as lists {"id":"1"}'],
  [
    'lists',
    '{"id":"1","archived":0}',
    'is not synced: owner_id is NULL, or a value that cannot be part of a bucket name',
  ],
  [
    'lists',
    '{"id":"1","owner_id":"ada","archived":1}',
    'is not synced: archived = 0 does not hold, with archived = 1',
  ],
  [
    'members',
    '{"list_id":"it\'s","user_id":"ada"}',
    "is not synced itself: the stream looks it up and finds 'it''s'",
  ],
  ['app.v1.lists', '{"id":"1"}', 'goes to bucket versions|0[], as v1.lists {"id":"1"}'],
])('%s %s', (table, json, sentence) => {
  expect(sentences(table, json)).toEqual([sentence]);
});
