import { expect, test } from 'vitest';
import { openHttpTransport } from '../../../client/console/link/http.ts';
import { readLines } from '../../../client/console/link/lines.ts';

const half = '{"data":{"connections":[{"id"';

test('Half of an answer is a connection that was lost, not a state of the service', async () => {
  const transport = openHttpTransport({ read: () => 'own' }, async () => new Response(half));
  await expect(transport.call('POST', '/api/admin/v1/diagnostics')).rejects.toMatchObject({
    kind: 'unreachable',
    message: 'The answer of the service was cut short.',
  });
});

test('The last line of a stream that breaks is not read, and the lines before it are', async () => {
  const lines: unknown[] = [];
  const read = readLines(
    new Response(`{"a":1}\n${half}`),
    (line) => lines.push(line),
    new AbortController().signal,
  );
  await read;
  expect(lines).toEqual([{ a: 1 }]);
});
