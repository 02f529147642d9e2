/** The service runs short of disk space, file handles or memory. It loses nothing, and recovers when there is enough again. */
import { execFile, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openApi } from '../../../client/api/api.ts';
import { next } from '../../../client/health/health.ts';
import { type StatusWords, wordsFor } from '../../../client/health/words.ts';
import { root } from '../../../scripts/root.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../support/processes/postgres.ts';
import type { ServiceOptions, ServiceProcess } from '../../support/processes/serviceProcess.ts';
import { adminToken, openStage, type Stage, type StageOptions, untilRows } from './stage.ts';

/** Runs a process with its own mounts, which disappear when the process ends. */
const ownMounts = ['unshare', '-rm'] as const;
const canMount = spawnSync(ownMounts[0], [ownMounts[1], 'sh', '-c', 'mount -t tmpfs none /mnt']).status === 0;

describe.skipIf(postgresPrograms.kind === 'missing')('a service', () => {
  let postgres: TestPostgres;
  let stage: Stage | undefined;
  let service: ServiceProcess | undefined;

  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());
  afterEach(async () => {
    await service?.kill();
    await stage?.close();
    service = undefined;
    stage = undefined;
  });

  async function open(options: ServiceOptions, where: StageOptions = {}): Promise<[Stage, ServiceProcess]> {
    stage = await openStage(postgres, where);
    service = await stage.start(options);
    return [stage, service];
  }

  test('with 64 file handles serves clients again after 100 connections were opened and closed', async () => {
    const [{ sql }, { url, port, output }] = await open({ within: 'ulimit -n 64' });
    await untilRows(url, 50);
    const crowd = await Promise.all(Array.from({ length: 100 }, () => openOne(port)));
    await sql(`INSERT INTO lists VALUES ('x', 'ada', 'meanwhile')`);
    for (const socket of crowd) socket.destroy();
    expect(await untilRows(url, 51)).toContain('x');
    expect(output()).not.toMatch(/uncaught|unhandled/i);
  });

  test.each([80, 256, 1_024])(
    'with %i file handles serves clients with a token while more idle connections are open than it has handles',
    async (handles) => {
      const [{ sql }, { url, port, output }] = await open({ within: `ulimit -n ${handles}` });
      await untilRows(url, 50);
      const crowd = new Set<Socket>();
      for (let count = 0; count < handles + 200; count += 1) crowd.add(await openOne(port));
      // Each connection that the service closes is opened again, so that handles are always short.
      const renew = async (socket: Socket): Promise<void> => {
        if (!crowd.delete(socket)) return;
        const next = await openOne(port);
        crowd.add(next.once('close', () => setTimeout(renew, 20, next)));
      };
      for (const socket of crowd) socket.once('close', () => setTimeout(renew, 20, socket));
      await sql(`INSERT INTO lists VALUES ('x', 'ada', 'meanwhile')`);
      // A client needs up to 4 tries. Where idle connections keep their places, it needs about 200.
      expect(await untilRows(url, 51, { tries: 60 })).toContain('x');
      expect(await untilRows(url, 51, { tries: 60 })).toContain('x');
      const sockets = [...crowd];
      crowd.clear();
      for (const socket of sockets) socket.destroy();
      expect(output()).not.toMatch(/uncaught|unhandled/i);
    },
    120_000,
  );

  test('with 48 MB of heap copies, replicates and serves many rows', async () => {
    const [{ sql }, { url }] = await open({ env: { NODE_OPTIONS: '--max-old-space-size=48' } });
    await untilRows(url, 50);
    await sql(`INSERT INTO lists SELECT 'm' || n, 'ada', repeat('x', 500) FROM generate_series(1, 20000) n`);
    expect(await untilRows(url, 20_050)).toHaveLength(20_050);
  });

  test.skipIf(!canMount)(
    'reports a full disk, loses nothing, and continues when there is room again',
    async () => {
      const data = '/mnt/data';
      const [{ sql }, running] = await open(
        { runner: ownMounts, within: 'mount -t tmpfs -o size=24m none /mnt' },
        { data },
      );
      await untilRows(running.url, 50);
      const before = await look(running.url);
      expect(before.status).toMatch(/^0\n/);
      expect(before.status).not.toContain('full');
      expect(before.bar).toMatchObject({ tone: 'good' });
      // The path for processes outside of the service's own mounts.
      const ballast = `/proc/${running.pid}/root/mnt/ballast`;
      expect(() => writeFileSync(ballast, Buffer.alloc(64 * 2 ** 20))).toThrow(/ENOSPC/);
      const { status, bar } = await look(running.url);
      expect(status).toMatch(/^1\n.*The disk with \/mnt\/data is full\. Nothing is lost: free some space\./s);
      expect(bar).toMatchObject({ tone: 'bad', text: expect.stringContaining('disk full') });
      await sql(
        `INSERT INTO lists SELECT 'f' || n, 'ada', repeat('y', 1000) FROM generate_series(1, 1500) n`,
      );
      await expect.poll(running.output).toMatch(/is full/);
      rmSync(ballast);
      expect(await untilRows(running.url, 1_550)).toHaveLength(1_550);
      expect((await look(running.url)).bar).toMatchObject({ tone: 'good' });
    },
  );
});

/** Returns the status from the CLI and the status bar. A full disk is reported even before the service tries to write. */
async function look(url: string): Promise<{ readonly status: string; readonly bar: StatusWords }> {
  const env = { ...process.env, PS_ADMIN_TOKEN: adminToken };
  const args = [join(root, 'dist/cli.js'), 'status', '--check', '--service', url];
  const { stdout, code } = await promisify(execFile)(process.execPath, args, { env }).then(
    ({ stdout }) => ({ stdout, code: 0 }),
    (error: { stdout: string; code: number }) => error,
  );
  const api = openApi({ url, token: adminToken });
  const diagnosis = await api.diagnose();
  await api.close();
  const health = next({ kind: 'unknown' }, { kind: 'answered', diagnosis });
  return { status: `${code}\n${stdout}`, bar: wordsFor({ name: 'here', health }) };
}

/** Opens a connection. Also resolves if the connection fails. */
function openOne(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', () => resolve(socket));
    socket.write('POST /sync/stream HTTP/1.1\r\nhost: x\r\n');
  });
}
