/** Requests to a worker that the primary answers. They go unchanged through tunnels in a channel. */
import { type IncomingMessage, request as openRequest } from 'node:http';
import { duplexPair } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../server/service/ground/errors.ts';
import { silentLog } from '../../../server/service/ground/log.ts';
import { isLocal } from '../../../server/service/http/origins.ts';
import type { Route } from '../../../server/service/http/route.ts';
import { openInnerServer } from '../../../server/service/http/server.ts';
import { openForward } from '../../../server/service/workers/forward.ts';
import { openLine, type ProcessLine } from '../../../server/service/workers/line.ts';
import { openTunnels, type TunnelProcedures } from '../../../server/service/workers/tunnels.ts';
import { route } from '../../support/processes/http.ts';
import { createManualClock } from '../../support/service/manualClock.ts';
import { channelPair } from './channelPair.ts';

describe('a request to a worker that the primary answers', () => {
  test('arrives with its path, headers and body, and from the address of the client', async () => {
    const { ask } = stage([
      route({
        method: 'POST',
        path: '/echo',
        access: 'admin',
        body: 'json',
        answer: async ({ parameters, request }) => ({
          data: { parameters, url: request.url, local: isLocal(request), hosts: request.headers.host },
        }),
      }),
    ]);
    const answer = await ask('POST', '/echo?a=1', { 'x-request-id': 'mine' }, JSON.stringify({ b: 'é' }));
    expect(answer.status).toBe(200);
    expect(answer.headers['x-request-id']).toBe('mine');
    expect(JSON.parse(answer.text)).toEqual({
      data: { parameters: { a: '1', b: 'é' }, url: '/echo?a=1', local: true, hosts: 'service' },
    });
  });

  test('counts as a request with a token after the primary has accepted the token', async () => {
    const { ask, admitted } = stage([route({ path: '/admin', access: 'admin' })]);
    expect((await ask('GET', '/admin', {})).status).toBe(401);
    expect(admitted()).toBe(0);
    expect((await ask('GET', '/admin', { authorization: 'Bearer good' })).status).toBe(200);
    expect(admitted()).toBe(1);
  });

  test('may be large, and so may its answer', async () => {
    const text = 'x'.repeat(3_000_000);
    const { ask } = stage([
      route({
        method: 'POST',
        path: '/large',
        body: 'yaml',
        answer: async ({ parameters }) => ({ data: parameters.content }),
      }),
    ]);
    const answer = await ask('POST', '/large', { 'content-type': 'application/yaml' }, text);
    expect(JSON.parse(answer.text).data === text).toBe(true);
  });

  test('may have an unfinished answer, which ends when the client disconnects', async () => {
    let signal: AbortSignal | undefined;
    const { open } = stage([
      route({
        path: '/events',
        answer: async (call) => {
          signal = call.signal;
          call.response.writeHead(200, { 'Content-Type': 'text/plain' });
          call.response.write('first line\n');
          await new Promise<void>((resolve) => call.signal.addEventListener('abort', () => resolve()));
          return { written: true };
        },
      }),
    ]);
    const { response, destroy } = await open('GET', '/events', {});
    const [first] = await new Promise<[Buffer]>((resolve) =>
      response.once('data', (data) => resolve([data])),
    );
    expect(String(first)).toBe('first line\n');
    expect(signal?.aborted).toBe(false);
    destroy();
    await new Promise<void>((resolve) => {
      if (signal?.aborted) resolve();
      else signal?.addEventListener('abort', () => resolve());
    });
  });

  test('is refused when the primary has ended', async () => {
    const { ask, end } = stage([]);
    end();
    const answer = await ask('GET', '/anything', {});
    expect(answer.status).toBe(503);
  });
});

function stage(routes: readonly Route[]) {
  const clock = createManualClock();
  const world = { clock, log: silentLog };
  const [ofPrimary, ofWorker] = channelPair();
  const access = {
    admin: (authorization: string | undefined) => {
      if (authorization !== 'Bearer good') throw new ServiceError('SVC_S2101');
    },
    user: async () => ({ id: 'ada', claims: '{}', expiresAt: 0 }),
  };
  let admitted = 0;
  const admits = new WeakMap<object, () => void>();
  const primary = openInnerServer(
    { routes, access, maxStreams: 1, onAdmitted: (socket) => admits.get(socket)?.() },
    world,
  );
  const inPrimary = openTunnels(
    () => lineOfPrimary,
    ({ socket, id }, address) => {
      admits.set(socket, () => lineOfPrimary.tell('admitted', id));
      primary.take(Object.assign(socket, { remoteAddress: address }));
    },
  );
  interface Admitting extends TunnelProcedures {
    admitted(id: number): void;
  }
  const lineOfPrimary: ProcessLine<Admitting> = openLine<TunnelProcedures, Admitting>(
    ofPrimary,
    inPrimary.procedures,
  );
  const inWorker = openTunnels(
    () => lineOfWorker,
    ({ socket }) => socket.destroy(),
  );
  const waiting = new Map<number, () => void>();
  const lineOfWorker: ProcessLine<TunnelProcedures> = openLine<Admitting, TunnelProcedures>(ofWorker, {
    ...inWorker.procedures,
    admitted: (id) => waiting.get(id)?.(),
  });
  let isGone = false;
  const forward = openForward({
    clock,
    openTunnel: (address, admit) => {
      const tunnel = inWorker.open(address);
      waiting.set(tunnel.id, admit);
      if (isGone) tunnel.socket.destroy(new Error('gone'));
      return tunnel;
    },
  });
  const worker = openInnerServer(
    {
      routes: [],
      access,
      maxStreams: 1,
      forward,
      onAdmitted: () => {
        admitted += 1;
      },
    },
    world,
  );
  const open = (method: string, path: string, headers: Readonly<Record<string, string>>, body = '') =>
    new Promise<{ readonly response: IncomingMessage; readonly destroy: () => void }>((resolve, reject) => {
      const [client, server] = duplexPair();
      worker.take(Object.assign(server, { remoteAddress: '127.0.0.1' }));
      const type = method === 'POST' && { 'content-type': 'application/json', authorization: 'Bearer good' };
      const call = openRequest({
        method,
        path,
        headers: { host: 'service', ...type, ...headers },
        createConnection: () => client,
      });
      call.on('response', (response) => resolve({ response, destroy: () => server.destroy() }));
      call.on('error', reject).end(body);
    });
  return {
    open,
    admitted: () => admitted,
    end: () => {
      isGone = true;
      inWorker.end();
    },
    ask: async (...asked: Parameters<typeof open>) => {
      const { response } = await open(...asked);
      let text = '';
      response.setEncoding('utf8');
      for await (const part of response) text += part;
      return { status: response.statusCode ?? 0, headers: response.headers, text };
    },
  };
}
