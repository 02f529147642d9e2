import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { openApi } from '../../../client/api/api.ts';
import { type Endpoint, openConnection } from '../../../client/api/connection.ts';
import { makeCertificates } from '../../support/processes/certificates.ts';
import {
  type ForeignService,
  foreignToken,
  openForeignService,
} from '../../support/processes/foreignService.ts';

const opened: { close: () => Promise<unknown> }[] = [];

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push({
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  });
  return (server.address() as AddressInfo).port;
}

/** Opens a proxy that connects every requested host to the service. */
async function openProxy(service: ForeignService): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer();
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    const onward = connect(Number(new URL(service.url).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
    opened.push({ close: async () => onward.destroy() });
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, asked };
}

async function start(): Promise<ForeignService> {
  const service = await openForeignService();
  opened.push(service);
  return service;
}

function open(endpoint: Partial<Endpoint> & Pick<Endpoint, 'url'>) {
  const api = openApi({ token: foreignToken, ...endpoint });
  opened.push(api);
  return api;
}

describe('The connection to a service', () => {
  test('uses the proxy from the settings', async () => {
    const proxy = await openProxy(await start());
    const api = open({ url: 'http://sync.invalid:81', proxy: { http: proxy.url, https: proxy.url } });
    expect((await api.diagnose()).sources).toHaveLength(1);
    expect(proxy.asked).toEqual(['sync.invalid:81']);
  });

  test('bypasses the proxy for excepted hosts', async () => {
    const proxy = await openProxy(await start());
    const api = open({ url: 'http://sync.invalid:81', proxy: { http: proxy.url, except: 'sync.invalid' } });
    await expect(api.diagnose()).rejects.toMatchObject({ kind: 'unreachable' });
    expect(proxy.asked).toEqual([]);
  });

  test('bypasses the proxy for a service on this machine', async () => {
    const service = await start();
    const proxy = await openProxy(service);
    const api = open({ url: service.url, proxy: { http: proxy.url } });
    expect((await api.diagnose()).sources).toHaveLength(1);
    expect(proxy.asked).toEqual([]);
  });

  test.each([
    ['does not begin', () => {}],
    ['does not end', (response: ServerResponse) => response.write('{"data":')],
  ])('fails when the answer %s in time', async (_, answer) => {
    const service = await start();
    service.instead('/slow', (_request, response) => void answer(response));
    const connection = openConnection({ url: service.url, token: foreignToken });
    opened.push(connection);
    await expect(connection.send({ method: 'GET', path: '/slow', limit: 100 })).rejects.toMatchObject({
      kind: 'slow',
      message: expect.stringMatching(/^127\.0\.0\.1:\d+ did not answer within 0\.1 s\.$/),
    });
  });

  const certificates = makeCertificates('someone');

  test.skipIf(!certificates)(
    'is trusted through a private certificate authority, and refused without it',
    async () => {
      const { ca = '', server: pair } = certificates ?? {};
      const [cert, key] = [pair?.certificate, pair?.key];
      const server = createTlsServer({ cert, key }, (_, response) =>
        response.end('{"data":{"connections":[]}}'),
      );
      const url = `https://localhost:${await listen(server)}`;
      await expect(open({ url }).diagnose()).rejects.toMatchObject({
        kind: 'untrusted',
        message: expect.stringContaining('set `ca` of the target to a file'),
      });
      expect((await open({ url, ca }).diagnose()).sources).toEqual([]);
    },
  );
});
