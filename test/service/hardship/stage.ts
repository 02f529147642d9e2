/** A built service in its own process with a real PostgreSQL source, and functions that read the rows of a user. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { patient } from '../../../scripts/run/patience.ts';
import { systemClock } from '../../../server/service/ground/clock.ts';
import { createSyncClient, type ReceivedLine } from '../../support/clients/syncClient.ts';
import { secret, token } from '../../support/clients/tokens.ts';
import { connectionConfig, type TestPostgres } from '../../support/processes/postgres.ts';
import {
  type ServiceOptions,
  type ServiceProcess,
  startServiceProcess,
} from '../../support/processes/serviceProcess.ts';

export interface Stage {
  readonly folder: string;
  /** The name of the source's database. */
  readonly database: string;
  /** The folder of the service's storage. */
  readonly data: string;
  sql(text: string): Promise<unknown>;
  start(options?: ServiceOptions): Promise<ServiceProcess>;
  /** The path of the service config, for tests that start the service in another way. */
  readonly config: string;
  close(): Promise<void>;
}

export const adminToken = 'admin-token-of-the-test';

const signer = secret('a secret that only tests know, and that is long enough', { kid: 'one' });

export const syncConfig = `config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT * FROM lists WHERE owner = auth.user_id()
`;

export interface StageOptions {
  /** The folder of the storage, if it is outside of the stage's folder. */
  readonly data?: string;
  /** `deployed`: the service config does not contain the sync config, because the test deploys it. */
  readonly syncConfig?: 'configured' | 'deployed';
}

export async function openStage(postgres: TestPostgres, options: StageOptions = {}): Promise<Stage> {
  const database = await postgres.createDatabase();
  const sql = (text: string) => postgres.query(text, undefined, database);
  await sql(`CREATE TABLE lists (id text PRIMARY KEY, owner text, name text);
INSERT INTO lists SELECT 'l' || n, 'ada', 'list ' || n FROM generate_series(1, 50) n;
CREATE PUBLICATION powersync FOR ALL TABLES`);
  const folder = mkdtempSync(join(tmpdir(), 'headwater-hardship-'));
  const data = options.data ?? join(folder, 'data');
  const config = join(folder, 'service.yaml');
  const content = {
    replication: { connections: [connectionConfig(postgres, database)] },
    storage: { type: 'embedded', path: data },
    port: 0,
    api: { tokens: [adminToken] },
    client_auth: { audience: ['app'], jwks: { keys: [signer.jwk] } },
    ...(options.syncConfig !== 'deployed' && { sync_config: { content: syncConfig } }),
  };
  writeFileSync(config, JSON.stringify(content));
  return {
    folder,
    database,
    data,
    sql,
    config,
    start: (serviceOptions) => startServiceProcess(config, serviceOptions),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Returns a token that was issued at the given time, in seconds since 1970. */
export function tokenFrom(seconds: number, lasts = 3_600): string {
  return token(signer, { sub: 'ada', iat: seconds, exp: seconds + lasts });
}

export const nowInSeconds = (): number => Math.floor(Date.now() / 1_000);

export type Visit =
  | { readonly kind: 'rows'; readonly ids: readonly string[] }
  | { readonly kind: 'refused'; readonly status: number; readonly text: string }
  /** `isLate`: the time limit of the client has passed. */
  | { readonly kind: 'broken'; readonly isLate: boolean };

/** Returns the rows of a new client after its first complete checkpoint. Throws if a checksum is wrong. */
export async function visit(url: string, bearer = tokenFrom(nowInSeconds())): Promise<Visit> {
  const client = createSyncClient();
  const gone = new AbortController();
  const limit = AbortSignal.timeout(patient(10_000));
  let response: Response;
  try {
    response = await fetch(`${url}/sync/stream`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: '{"raw_data":true}',
      signal: AbortSignal.any([gone.signal, limit]),
    });
  } catch {
    return { kind: 'broken', isLate: limit.aborted };
  }
  if (response.status !== 200 || response.body === null) {
    const text = await response.text().catch(() => '');
    return { kind: 'refused', status: response.status, text };
  }
  for await (const line of linesOf(response.body, () => gone.abort())) {
    client.take(line);
    if ('checkpoint_complete' in line)
      return {
        kind: 'rows',
        ids: [...client.rows.keys()].map((key) => key.replace('lists/', '')).toSorted(),
      };
  }
  return { kind: 'broken', isLate: limit.aborted };
}

async function* linesOf(
  body: NonNullable<Response['body']>,
  leave: () => void,
): AsyncGenerator<ReceivedLine> {
  let rest = '';
  try {
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield JSON.parse(line) as ReceivedLine;
    }
  } catch (error) {
    // A broken connection is expected. Text that is not JSON is an error of the service.
    if (error instanceof SyntaxError) throw error;
  } finally {
    leave();
  }
}

/** Waits until a new client gets `count` rows, and returns their ids. The client tries again every 100 ms. */
export async function untilRows(
  url: string,
  count: number,
  { bearer, tries = 300 }: { readonly bearer?: () => string; readonly tries?: number } = {},
): Promise<readonly string[]> {
  let last: Visit = { kind: 'broken', isLate: false };
  for (let left = tries; left > 0; left -= 1) {
    last = await visit(url, bearer?.());
    if (last.kind === 'rows' && last.ids.length === count) return last.ids;
    await systemClock.sleep(100);
  }
  throw new Error(
    `There are not ${count} rows after ${tries} tries, but ${JSON.stringify(last).slice(0, 300)}`,
  );
}
