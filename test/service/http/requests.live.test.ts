/** Requests that reach a route, and requests that are refused before they reach one. */
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../server/service/ground/errors.ts';
import { type AskOptions, ask, recordLog, route, serve } from '../../support/processes/http.ts';

const yaml = { 'content-type': 'application/yaml' };
const json = { 'content-type': 'application/json' };
const megabyte = 1024 * 1024;

const jsonRoute = route({ method: 'POST', body: 'json' });
const yamlRoute = route({ method: 'POST', body: 'yaml' });

describe('parameters', () => {
  test.each<[string, AskOptions, object]>([
    ['come from the query', { path: '/thing?a=1&b=%20x' }, { a: '1', b: ' x' }],
    ['are lists when a key is repeated', { path: '/thing?a=1&a=2' }, { a: ['1', '2'] }],
    ['can be thousands', { path: `/thing?${'a&'.repeat(20_000)}` }, { a: Array(20_000).fill('') }],
    ['survive a broken escape', { path: '/thing?a=%zz' }, { a: '%zz' }],
  ])('%s', async (_, asked, parameters) => {
    const server = await serve([route({})]);
    expect((await ask(server, asked)).json).toEqual({ data: { parameters, text: '' } });
  });

  test.each<[string, AskOptions, object]>([
    [
      'come from the body, which wins over the query',
      { path: '/thing?a=1&b=2', headers: json, body: '{"a":3}' },
      { a: 3, b: '2' },
    ],
    [
      'may be called __proto__',
      { headers: json, body: '{"__proto__":{"x":1}}' },
      JSON.parse('{"__proto__":{"x":1}}'),
    ],
    ['are empty without body and type', {}, {}],
    ['are empty if the body is a list', { headers: json, body: '[1]' }, {}],
  ])('%s', async (_, asked, parameters) => {
    const server = await serve([jsonRoute]);
    const { json: answer } = await ask(server, { method: 'POST', ...asked });
    expect(answer).toMatchObject({ data: { parameters } });
  });

  test('of a YAML body are its text without the byte order mark', async () => {
    const server = await serve([yamlRoute]);
    const { json: answer } = await ask(server, { method: 'POST', headers: yaml, body: '\uFEFFa: é\n' });
    expect(answer).toEqual({ data: { parameters: { content: 'a: é\n' }, text: 'a: é\n' } });
  });
});

describe('a body is refused', () => {
  const text = (size: number): string => JSON.stringify({ content: 'x'.repeat(size) });

  test.each<[string, AskOptions, number, RegExp]>([
    ['that is empty JSON', { headers: json, body: '' }, 400, /is empty/],
    ['that is not JSON', { headers: json, body: '{' }, 400, /not JSON/],
    ['that is not UTF-8', { headers: yaml, body: Buffer.from([0x61, 0xff]) }, 400, /not UTF-8/],
    [
      'of a type that is not read',
      { headers: { 'content-type': 'text/yaml' }, body: 'a' },
      415,
      /application\/yaml or/,
    ],
    ['without a type', { body: 'a' }, 415, /Content-Type/],
    ['of JSON above 1 MiB', { headers: json, body: text(megabyte) }, 413, /larger than 1 MiB/],
    ['of YAML above 5 MiB', { headers: yaml, body: 'x'.repeat(5 * megabyte + 1) }, 413, /larger than 5 MiB/],
    ['of 20 MB', { headers: yaml, body: 'x'.repeat(20 * megabyte) }, 413, /larger than 5 MiB/],
    [
      'in chunks that grow too large',
      { headers: { ...json, 'transfer-encoding': 'chunked' }, body: text(2 * megabyte) },
      413,
      /larger/,
    ],
  ])('%s', async (_, asked, status, details) => {
    const server = await serve([yamlRoute]);
    const answer = await ask(server, { method: 'POST', ...asked });
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual({
      error: {
        name: 'ValidationError',
        code: 'SVC_S2001',
        status,
        description: 'The request is not valid',
        details: expect.stringMatching(details),
      },
    });
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect((await ask(server, { method: 'POST', headers: yaml, body: 'a: 1' })).status).toBe(200);
  });

  test('of YAML if the route reads only JSON', async () => {
    const server = await serve([jsonRoute]);
    expect((await ask(server, { method: 'POST', headers: yaml, body: 'a: 1' })).status).toBe(415);
  });

  test('but not if it has exactly the maximum size', async () => {
    const server = await serve([yamlRoute]);
    const body = 'x'.repeat(5 * megabyte);
    expect((await ask(server, { method: 'POST', headers: yaml, body })).status).toBe(200);
  });
});

describe('a request without a token is refused', () => {
  const closed = {
    admin: () => {
      throw new ServiceError('SVC_S2101');
    },
    user: async () => {
      throw new ServiceError('SVC_S2106');
    },
  };

  test.each<[string, AskOptions, number]>([
    ['with 404 for an unknown path', { path: '/other' }, 404],
    ['before the type of its body is checked', { body: 'x', headers: { 'content-type': 'image/png' } }, 401],
    ['before its syntax is checked', { body: '{' }, 401],
    ['before its parameters are checked', { body: '{"bad":true}' }, 401],
    ['even if it is valid', { body: '{}' }, 401],
  ])('%s', async (_, asked, status) => {
    const problemsIn = (parameters: object) => ('bad' in parameters ? ['`bad` is bad.'] : []);
    const answer = async () => expect.unreachable();
    const server = await serve([{ ...jsonRoute, access: 'admin', problemsIn, answer }], { access: closed });
    expect((await ask(server, { method: 'POST', headers: json, ...asked })).status).toBe(status);
  });
});

describe('answers', () => {
  test('are wrapped, or plain and pretty, as the route specifies', async () => {
    const server = await serve([
      route({ path: '/data', answer: async () => ({ data: [1] }) }),
      route({ path: '/plain', answer: async () => ({ plain: [1], status: 400, pretty: true }) }),
    ]);
    expect(await ask(server, { path: '/data' })).toMatchObject({ status: 200, text: '{"data":[1]}' });
    expect(await ask(server, { path: '/plain' })).toMatchObject({ status: 400, text: '[\n  1\n]\n' });
  });

  test('to HEAD have the headers of an answer to GET, and no body', async () => {
    const server = await serve([route({ answer: async () => ({ data: 'text' }) })]);
    const { status, headers, text } = await ask(server, { method: 'HEAD' });
    expect({ status, length: headers['content-length'], text }).toEqual({
      status: 200,
      length: '15',
      text: '',
    });
  });

  test('of a route that fails do not contain the reason, which is in the log', async () => {
    const log = recordLog();
    const answer = async () => {
      throw new Error('password of db is hunter2');
    };
    const server = await serve([route({ answer })], {}, log);
    const { status, json: answered, text, headers } = await ask(server);
    expect(status).toBe(500);
    expect(answered).toMatchObject({
      error: { name: 'InternalServerError', code: 'SVC_S2001', severity: 'error' },
    });
    expect(text).not.toContain('hunter2');
    expect(text).toContain(headers['x-request-id']);
    expect(log.lines.find(({ level }) => level === 'error')).toMatchObject({
      message: 'A request failed: password of db is hunter2',
      facts: { id: headers['x-request-id'] },
    });
  });

  test('that cannot be written as JSON become an error', async () => {
    const server = await serve([route({ answer: async () => ({ data: 1n }) })]);
    expect((await ask(server)).status).toBe(500);
  });

  test('are cut off if the route fails after it has begun to answer', async () => {
    const server = await serve([
      route({
        answer: async ({ response }) => {
          response.writeHead(200).write('begun');
          throw new Error('broken');
        },
      }),
    ]);
    await expect(ask(server)).rejects.toThrow(/aborted|hang up/);
  });

  test('keep the request id from a proxy if it is valid', async () => {
    const server = await serve([route({})]);
    const idFor = async (id: string) =>
      (await ask(server, { headers: { 'x-request-id': id } })).headers['x-request-id'];
    expect(await idFor('abc-1')).toBe('abc-1');
    expect(await idFor('a b')).toMatch(/^[\da-f-]{36}$/);
  });
});

test('the log has each request once, without its query and token', async () => {
  const log = recordLog();
  const server = await serve([route({}), route({ path: '/probe', group: 'probe' })], {}, log);
  await ask(server, { path: '/thing?token=secret', headers: { authorization: 'Bearer secret' } });
  await ask(server, { path: '/probe' });
  await server.stop();
  expect(log.lines.map(({ level, message, facts }) => [level, message, facts.status])).toEqual([
    ['info', 'GET /thing', 200],
    ['debug', 'GET /probe', 200],
  ]);
  expect(JSON.stringify(log.lines)).not.toContain('secret');
});
