/** Replication and clients have separate processes. Source and storage are in the same PostgreSQL database. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { patient } from '../../scripts/run/patience.ts';
import { type RunningService, startService } from '../../server/service/assembly/service.ts';
import { systemClock } from '../../server/service/ground/clock.ts';
import { silentLog } from '../../server/service/ground/log.ts';
import type { Role } from '../../server/service/ground/world.ts';
import {
  postgresPrograms,
  startPostgres,
  type TestPostgres,
  usualBatch,
} from '../support/processes/postgres.ts';
import { adminToken, serviceSettings } from '../support/service/serviceSettings.ts';

const config = `config:
  edition: 3
streams:
  todos:
    auto_subscribe: true
    query: SELECT id, title FROM todos WHERE owner = auth.user_id()
`;
const secret = new TextEncoder().encode('a secret that is long enough for HS256');

describe.skipIf(postgresPrograms.kind === 'missing')('a replicating and a serving process', () => {
  let postgres: TestPostgres;
  let folder: string;
  let api: RunningService;
  let sync: RunningService;
  let source: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-'));
    postgres = await startPostgres();
    source = await postgres.createDatabase();
    const run = (sql: string) => postgres.query(sql, [], source);
    await run('CREATE TABLE todos (id text PRIMARY KEY, owner text, title text)');
    await run('CREATE PUBLICATION powersync FOR ALL TABLES');
    await run(`INSERT INTO todos VALUES ('1', 'ada', 'first'), ('2', 'ben', 'second')`);
    // Source and storage are one database, so the log that replication reads also contains the writes of the storage.
    api = await start('api');
    sync = await start('sync');
  });
  afterAll(async () => {
    await Promise.all([api?.stop(), sync?.stop()]);
    await postgres?.stop();
    rmSync(folder, { recursive: true });
  });

  test('deploy, replicate and serve clients together', async () => {
    expect(sync.url).toBeUndefined();
    const deployed = await call('/api/sync-rules/v1/deploy', { content: config });
    expect(deployed).toMatchObject({
      data: { slot_name: expect.stringMatching(/^powersync_1_[0-9a-f]{4}$/) },
    });
    await expect
      .poll(() => call('/api/sync-rules/v1/current', undefined))
      .toMatchObject({ data: { current: { content: config } } });
    const lines = openStream('ada');
    expect(await lines.until('first')).toContain('"op":"PUT"');
    await postgres.query(`UPDATE todos SET title = 'changed' WHERE id = '1'`, [], source);
    await lines.until('changed');
    await lines.close();
  });

  test('leave an idle source idle, although the storage writes to the same database', async () => {
    const records = () =>
      postgres.query<{ at: string }>('SELECT last_keepalive_at AS at FROM headwater.deployments', [], source);
    await expect
      .poll(
        async () => {
          const before = await records();
          await new Promise((resolve) => setTimeout(resolve, 300));
          return JSON.stringify(before) === JSON.stringify(await records());
        },
        { timeout: patient(30_000) },
      )
      .toBe(true);
  });

  function start(role: Role): Promise<RunningService> {
    const connection = postgres.connection({ database: source });
    const settings = serviceSettings({
      role,
      connection,
      storage: { ...connection, type: 'postgresql', batch: usualBatch },
      clientAuth: {
        keys: [{ kty: 'oct', alg: 'HS256', kid: 'k', k: Buffer.from(secret).toString('base64url') }],
      },
    });
    return startService(settings, folder, { clock: systemClock, log: silentLog, env: {}, fetch });
  }

  async function call(path: string, body: object | undefined): Promise<unknown> {
    const response = await fetch(`${api.url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return response.json();
  }

  function openStream(user: string) {
    const controller = new AbortController();
    let text = '';
    const reading = read().catch((error: Error) => {
      if (!controller.signal.aborted) throw error;
    });
    return {
      until: async (part: string): Promise<string> => {
        await expect.poll(() => text).toContain(part);
        return text;
      },
      close: () => {
        controller.abort();
        return reading;
      },
    };

    async function read(): Promise<void> {
      const token = await new SignJWT({})
        .setProtectedHeader({ alg: 'HS256', kid: 'k' })
        .setSubject(user)
        .setAudience('app')
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(secret);
      const response = await fetch(`${api.url}/sync/stream`, {
        method: 'POST',
        signal: controller.signal,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          raw_data: true,
          buckets: [],
          streams: { include_defaults: true, subscriptions: [] },
        }),
      });
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
    }
  }
});
