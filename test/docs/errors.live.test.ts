/** Compares the answers on the error pages with the real answers of the service. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { root } from '../../scripts/root.ts';
import { errorTexts } from '../../scripts/serviceErrors/index.ts';
import type { ServiceErrorCode } from '../../server/service/ground/errors.ts';
import { secret, token } from '../support/clients/tokens.ts';
import { ask } from '../support/processes/http.ts';
import { type ServiceProcess, startServiceProcess } from '../support/processes/serviceProcess.ts';

const key = secret('a secret of 32 letters and digits', { kid: 'dev' });
const folder = mkdtempSync(join(tmpdir(), 'headwater-errors-'));
const services: ServiceProcess[] = [];
let open: ServiceProcess;
/** A service whose config names its sync config, and an address for its keys. */
let configured: ServiceProcess;
let keyless: ServiceProcess;
/** A service whose API token is a published example. */
let published: ServiceProcess;

const syncConfig = (where: string) => `config: { edition: 3 }
streams:
  mine:
    query: SELECT * FROM lists WHERE ${where}
`;

beforeAll(async () => {
  const start = async (name: string, more: object): Promise<ServiceProcess> => {
    const config = join(folder, `${name}.yaml`);
    const storage = { type: 'embedded', path: name };
    writeFileSync(config, stringify({ port: 0, storage, api: { tokens: ['admin'] }, ...more }));
    const service = await startServiceProcess(config);
    services.push(service);
    return service;
  };
  const auth = { audience: ['app'], jwks: { keys: [key.jwk] } };
  open = await start('open', { client_auth: auth });
  configured = await start('configured', {
    client_auth: { audience: ['app'], jwks_uri: 'http://127.0.0.1:9/keys' },
    sync_config: { content: syncConfig('true') },
  });
  keyless = await start('keyless', {});
  published = await start('published', { api: { tokens: ['only-for-this-example'] } });
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  rmSync(folder, { recursive: true, force: true });
});

interface Call {
  readonly of?: () => ServiceProcess;
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly token?: string;
  readonly body?: string;
  readonly type?: string;
  /** The origin of the web page that makes the call. */
  readonly origin?: string;
  /** The host name that the browser uses for the service. */
  readonly host?: string;
}

const stream = (claims: object | undefined, of = () => open): Call => ({
  of,
  method: 'POST',
  path: '/sync/stream',
  body: '{}',
  type: 'application/json',
  ...(claims && { token: token(key, claims) }),
});
const admin = (path: string, body?: string): Call => ({
  path: `/api/sync-rules/v1/${path}`,
  token: 'admin',
  ...(body === undefined ? {} : { method: 'POST', body }),
});

const json = (path: string, body: object): Call => ({
  method: 'POST',
  path,
  body: JSON.stringify(body),
  type: 'application/json',
});
const signIn = (code: string) => json('/console/sign-in', { code });
const clientToken = (user: string) => ({
  ...json('/api/admin/v1/client-token', { user_id: user }),
  token: 'admin',
});

const second = Math.floor(Date.now() / 1000);
const good = { sub: 'ada', aud: 'app', iat: second, exp: second + 600 };

/** The calls, in the order in which they are made: no config is active before the last ones. */
const calls: Partial<Record<ServiceErrorCode, () => Call>> = {
  SVC_S2002: () => ({ path: '/sync' }),
  SVC_S2106: () => stream(undefined),
  SVC_S2107: () => ({ ...admin('current'), of: () => published, origin: 'https://example.com' }),
  SVC_S2101: () => ({ ...stream(good), token: token(key, good, { kid: 'other' }) }),
  SVC_S2103: () => stream({ ...good, iat: second - 7200, exp: second - 3600 }),
  SVC_S2104: () => stream({ ...good, exp: second + 90_000 }),
  SVC_S2105: () => stream({ ...good, aud: 'another' }),
  SVC_S2108: () => ({ ...signIn('used-before'), origin: open.url }),
  SVC_S2109: () => ({ path: '/console/', host: 'sync.example.com' }),
  SVC_S2201: () => stream(good, () => keyless),
  SVC_S2204: () => stream(good, () => configured),
  SVC_S2302: () => stream(good),
  SVC_S4104: () => admin('current'),
  SVC_S2001: () => ({ ...admin('deploy', '{}'), type: 'application/json' }),
  SVC_R0001: () => admin('deploy', syncConfig('owner_id = auth.userid()')),
  SVC_S4110: () => ({ ...json('/api/admin/v1/copy', { action: 'pause' }), token: 'admin' }),
  SVC_S4108: () => ({ ...clientToken('ada'), of: () => configured }),
  SVC_S4105: () => ({ ...admin('deploy', syncConfig('true')), of: () => configured }),
};

/** Errors that a single request cannot cause, with the situation that each of them needs. */
const notTried: Partial<Record<ServiceErrorCode, string>> = {
  SVC_S1147: 'a source whose user may do more than read',
  SVC_S2003: 'a service that is just ending',
  SVC_S2004: 'a client with WebSockets that is none of the SDKs',
  SVC_S2304: 'very many clients',
  SVC_S2305: 'very many buckets',
  SVC_S2401: 'a full disk',
  SVC_S2402: 'a storage that falls silent',
  SVC_S2403: 'a damaged disk',
  SVC_S4106: 'a deployment that takes long',
  SVC_S4107: 'a source that is not of the service itself',
  SVC_S4109: 'a sync config that is active',
};

test.each(Object.entries(calls))('%s', async (code, call) => {
  expect(await answerTo(call())).toEqual(answerOn(code));
});

test('each answer that has a page is tried, or has a reason why not', () => {
  const answers = Object.entries(errorTexts).filter(([, { told }]) => told === 'in answers');
  expect(Object.keys({ ...calls, ...notTried }).sort()).toEqual(answers.map(([code]) => code).sort());
});

async function answerTo({ of = () => open, method = 'GET', path, ...sent }: Call): Promise<unknown> {
  const { json: answer } = await ask(of(), {
    method,
    path,
    headers: {
      'Content-Type': sent.type ?? 'application/yaml',
      ...(sent.token !== undefined && { Authorization: `Bearer ${sent.token}` }),
      ...(sent.origin !== undefined && { Origin: sent.origin }),
      ...(sent.host !== undefined && { Host: sent.host }),
    },
    ...(sent.body !== undefined && { body: sent.body }),
  });
  return answer;
}

function answerOn(code: string): unknown {
  const page = readFileSync(join(root, `docs/errors/${code}.md`), 'utf8');
  return JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '');
}
