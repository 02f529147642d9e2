import { expect, test } from 'vitest';
import { startSyncing } from '../../support/clients/syncing.ts';
import { ask } from '../../support/processes/http.ts';

const stream = { method: 'POST', path: '/sync/stream' } as const;
const headers = { authorization: 'Token user1', 'content-type': 'application/json' };

test.each([
  ['not JSON', '{', 400],
  ['a wrong field', '{"buckets":5}', 400],
  ['one key with two values', '{"parameters":{"a":1,"a":2}}', 400],
  ['JSON that is nested too deeply', `{"parameters":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}`, 400],
  ['more than 1 MiB', `{"x":"${'x'.repeat(1024 * 1024)}"}`, 413],
])('a body is refused: %s', async (_, body, status) => {
  const { server } = await startSyncing();
  const answer = await ask(server, { ...stream, headers, body });
  expect(answer.status).toBe(status);
  expect(answer.json).toMatchObject({
    error: { description: expect.any(String), details: expect.any(String) },
  });
});

test('claims that cannot be read are reported as an invalid token', async () => {
  const syncing = await startSyncing({
    config:
      'config:\n  edition: 3\nstreams:\n  all:\n    auto_subscribe: true\n    query: SELECT * FROM lists\n',
  });
  syncing.users.set('user1', { claims: '{"sub":"a","sub":"b"}' });
  const { status, json } = await ask(syncing.server, { ...stream, headers, body: '{}' });
  expect(status).toBe(401);
  expect(json).toMatchObject({ error: { code: 'SVC_S2101' } });
});
