/** A server with a few routes on a free port, and functions that send requests to it. */
import { request as send } from 'node:http';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../../server/service/ground/clock.ts';
import type { Log, LogFacts, LogLevel } from '../../../server/service/ground/log.ts';
import type { Access } from '../../../server/service/http/dispatch.ts';
import type { Route } from '../../../server/service/http/route.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../../server/service/http/server.ts';

export interface AskOptions {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The JSON value of the body. Undefined for other bodies. */
  readonly json: unknown;
}

export interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly facts: LogFacts;
}

/** Starts a server, which is stopped when the test ends. */
export async function serve(
  routes: readonly Route[],
  options: Partial<ServerOptions> = {},
  log: Log = { write: () => {} },
): Promise<RunningServer> {
  const access: Access = {
    admin: () => {},
    user: async () => ({ id: 'user1', claims: '{"sub":"user1"}', expiresAt: 0 }),
  };
  const server = await startServer(
    { host: '127.0.0.1', port: 0, routes, access, maxStreams: 2, ...options },
    { clock: systemClock, log },
  );
  onTestFinished(server.stop);
  return server;
}

export function route(part: Partial<Route>): Route {
  return {
    method: 'GET',
    path: '/thing',
    access: 'public',
    group: 'api',
    body: 'none',
    answer: async ({ parameters, text }) => ({ data: { parameters, text } }),
    ...part,
  };
}

export function ask({ port }: { readonly port: number }, asked: AskOptions = {}): Promise<HttpAnswer> {
  const { method = 'GET', path = '/thing', headers = {}, body } = asked;
  return new Promise((resolve, reject) => {
    const request = send({ port, host: '127.0.0.1', method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: readJson(text) });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Sends only these bytes. Returns all text that arrives until the connection is closed. */
export function sendRaw({ port }: { readonly port: number }, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    let got = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      got += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(got));
  });
}

export function recordLog(): Log & { readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  return { lines, write: (level, message, facts = {}) => lines.push({ level, message, facts }) };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
