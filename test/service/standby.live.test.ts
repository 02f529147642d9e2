/** Two processes share one storage. One of them replicates, and the other one takes over when the first one fails. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientAuth, clientToken } from '../support/clients/clientAuth.ts';
import { openStream } from '../support/clients/syncStream.ts';
import {
  postgresPrograms,
  startPostgres,
  superuser,
  type TestPostgres,
} from '../support/processes/postgres.ts';
import { type ServiceProcess, startServiceProcess } from '../support/processes/serviceProcess.ts';

const adminToken = 'admin-token-of-the-test';
const config = `config:
  edition: 3
streams:
  todos:
    auto_subscribe: true
    query: SELECT id, title FROM todos
`;

describe.skipIf(postgresPrograms.kind === 'missing')('a standby process', () => {
  let folder: string;
  let postgres: TestPostgres;
  let source: string;
  let path: string;
  let first: ServiceProcess;
  let second: ServiceProcess;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-'));
    postgres = await startPostgres();
  });
  afterAll(async () => {
    await postgres?.stop();
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    source = await postgres.createDatabase();
    const storage = await postgres.createDatabase();
    await run('CREATE TABLE todos (id text PRIMARY KEY, title text)');
    await run(`CREATE PUBLICATION powersync FOR ALL TABLES; INSERT INTO todos VALUES ('1', 'first')`);
    const { user: username, password } = superuser;
    const server = { type: 'postgresql', hostname: '127.0.0.1', port: postgres.port, sslmode: 'disable' };
    const ofSource = { ...server, username, password, database: source };
    path = join(folder, 'service.yaml');
    writeFileSync(
      path,
      JSON.stringify({
        replication: { connections: [ofSource] },
        storage: { ...ofSource, database: storage },
        port: 0,
        api: { tokens: [adminToken] },
        client_auth: clientAuth,
        sync_config: { content: config },
      }),
    );
    first = await startServiceProcess(path);
    await expect.poll(() => isReplicating(first)).toBe(true);
    second = await startServiceProcess(path);
    await expect.poll(() => isStandby(second)).toBe(true);
  });
  afterEach(() => Promise.all([first?.kill(), second?.kill()]));

  const run = (sql: string) => postgres.query(sql, [], source);
  const probe = async ({ url }: ServiceProcess) => {
    const response = await fetch(`${url}/probes/readiness`);
    return { status: response.status, body: (await response.json()) as { standby?: boolean } };
  };
  const replicationOf = async ({ url }: ServiceProcess) => {
    const response = await fetch(`${url}/api/admin/v1/diagnostics`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: '{}',
    });
    const { data } = (await response.json()) as {
      data: {
        active_sync_rules?: {
          errors: readonly unknown[];
          connections: readonly [{ replication?: { running: boolean; standby?: boolean; phase: string } }];
        };
      };
    };
    return {
      ...data.active_sync_rules?.connections[0].replication,
      errors: data.active_sync_rules?.errors,
    };
  };
  const isReplicating = async (service: ServiceProcess) => {
    const { running, standby, phase } = await replicationOf(service);
    return running === true && standby === undefined && phase === 'streaming';
  };
  const isStandby = async (service: ServiceProcess) => (await replicationOf(service)).standby === true;
  const shows = async ({ port }: ServiceProcess, title: string) => {
    const stream = await openStream(port, { token: await clientToken('ada') });
    await stream.until(({ client }) => [...client.rows.values()].some((data) => data.includes(title)), title);
    stream.close();
  };

  test('reports that it is a standby, and is ready', async () => {
    expect(await probe(first)).toEqual({
      status: 200,
      body: expect.not.objectContaining({ standby: expect.anything() }),
    });
    expect(await probe(second)).toEqual({ status: 200, body: expect.objectContaining({ standby: true }) });
    expect((await replicationOf(second)).errors).toEqual([]);
    await shows(second, 'first');
  });

  test('takes over when the replicating process is killed', async () => {
    await first.kill();
    await run(`UPDATE todos SET title = 'changed'`);
    await shows(second, 'changed');
    expect(await isReplicating(second)).toBe(true);
    expect((await probe(second)).body.standby).toBeUndefined();
  });

  test('takes over from a suspended process, which becomes the standby when it resumes', async () => {
    process.kill(first.pid, 'SIGSTOP');
    await run(`UPDATE todos SET title = 'changed'`);
    await expect.poll(() => isReplicating(second)).toBe(true);
    await shows(second, 'changed');
    process.kill(first.pid, 'SIGCONT');
    await expect.poll(() => isStandby(first)).toBe(true);
    await run(`UPDATE todos SET title = 'changed again'`);
    await shows(second, 'changed again');
    await shows(first, 'changed again');
    expect(await isReplicating(second)).toBe(true);
    // Failures of the suspended process are not failures of the deployment.
    expect((await replicationOf(second)).errors).toEqual([]);
  });
});
