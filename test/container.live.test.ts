/** The commands of the Dockerfile with the files of the compose example, run without a container. */
import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../scripts/root.ts';
import { freePort } from './support/processes/freePort.ts';
import {
  postgresPrograms,
  startPostgres,
  superuser,
  type TestPostgres,
} from './support/processes/postgres.ts';
import { type RunningProcess, startProcess, until } from './support/processes/runningProcess.ts';

const example = (name: string): string => join(root, 'examples/compose', name);
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');

const secrets = {
  PS_REPLICATION_PASSWORD: 'replication',
  PS_ADMIN_TOKEN: 'deploys-configs',
  PS_JWT_SECRET_B64URL: Buffer.from('signs the tokens of the clients.').toString('base64url'),
};

/** `unshare` makes a process the first one of a namespace, as it is in a container. */
const canUnshare = spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0;
const hasPsql = spawnSync('psql', ['--version']).status === 0;

const folder = mkdtempSync(join(tmpdir(), 'headwater-container-'));
const data = join(folder, 'data');
let database: TestPostgres;
let port = 0;
let environment: NodeJS.ProcessEnv = {};

beforeAll(async () => {
  mkdirSync(data);
  port = await freePort();
  if (postgresPrograms.kind === 'missing' || !hasPsql) return;
  database = await startPostgres();
  await database.query('CREATE DATABASE app');
  makeDatabase();
  environment = {
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    ...secrets,
    PS_DATA_SOURCE_URI: `postgresql://headwater:${secrets.PS_REPLICATION_PASSWORD}@127.0.0.1:${database.port}/app`,
    POWERSYNC_CONFIG_PATH: join(folder, 'service.yaml'),
  };
  const config = readFileSync(example('service.yaml'), 'utf8');
  writeFileSync(
    join(folder, 'service.yaml'),
    config.replace('port: 8080', `port: ${port}`).replace('path: /data', `path: ${data}`),
  );
});

afterAll(async () => {
  await database?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Makes the database as the image of PostgreSQL does with the files in /docker-entrypoint-initdb.d. */
function makeDatabase(): void {
  const env = {
    PATH: process.env.PATH,
    PGHOST: '127.0.0.1',
    PGPORT: String(database.port),
    PGPASSWORD: superuser.password,
    POSTGRES_USER: superuser.user,
    POSTGRES_DB: 'app',
    PS_REPLICATION_PASSWORD: secrets.PS_REPLICATION_PASSWORD,
  };
  const connected = ['--username', env.POSTGRES_USER, '--dbname', env.POSTGRES_DB];
  const options = { env, stdio: 'pipe' } as const;
  execFileSync(
    'psql',
    ['-v', 'ON_ERROR_STOP=1', ...connected, '-f', example('database/1-tables.sql')],
    options,
  );
  execFileSync(example('database/2-replication.sh'), options);
}

/** `ENTRYPOINT ["node", …]`, with what it names in our build. */
function commandOf(instruction: string): readonly string[] {
  const list = new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(dockerfile)?.[1] ?? '[]';
  return (JSON.parse(list) as string[]).map((word) => word.replace('/opt/headwater', root));
}

function startContained(): RunningProcess {
  const command = [...commandOf('ENTRYPOINT'), ...commandOf('CMD')];
  const [file = '', ...args] = canUnshare
    ? ['unshare', '--pid', '--fork', '--kill-child', ...command]
    : command;
  return startProcess(file, args, { cwd: data, env: environment });
}

/** Stops a process as `docker stop` does, and returns the exit code. */
function stop({ child, ended }: RunningProcess): Promise<number | null> {
  process.kill(firstProcessOf(child), 'SIGTERM');
  return ended;
}

/** Returns the process that `unshare` has forked. */
function firstProcessOf({ pid = 0 }: ChildProcess): number {
  if (!canUnshare) return pid;
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
}

/** `HEALTHCHECK … CMD ["headwater", "probe"]`, inside of the container. */
function checkHealth(): number | null {
  const [program, ...args] = /HEALTHCHECK .* CMD \["(.*)"\]/.exec(dockerfile)?.[1]?.split('", "') ?? [];
  expect(program).toBe('headwater');
  return spawnSync(process.execPath, [join(root, 'dist/cli.js'), ...args], {
    cwd: data,
    env: environment,
  }).status;
}

describe.skipIf(postgresPrograms.kind === 'missing' || !hasPsql)('in a container', () => {
  test('the service is healthy while it runs, takes a config, and ends in order', async () => {
    expect(checkHealth()).toBe(1);
    const service = startContained();
    await until(service, () => service.out().includes('"ready":true'));
    await until(service, () => checkHealth() === 0);
    const deployed = spawnSync(
      process.execPath,
      [join(root, 'dist/cli.js'), 'deploy', '--json', example('sync-config.yaml')],
      { cwd: data, env: environment, encoding: 'utf8' },
    );
    expect(JSON.parse(deployed.stdout)).toMatchObject({ kind: 'active' });
    expect(await stop(service)).toBe(0);
    expect(checkHealth()).toBe(1);
  });

  test('a service that waits for its storage ends at once', async () => {
    // Takes connections and never answers.
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port: silentPort } = silent.address() as { port: number };
    const config = readFileSync(join(folder, 'service.yaml'), 'utf8');
    const storage = `type: postgresql\n  uri: postgresql://u:p@127.0.0.1:${silentPort}/storage\n  sslmode: disable`;
    writeFileSync(
      join(folder, 'service.yaml'),
      config.replace(`type: embedded\n  path: ${data} # a volume`, storage),
    );
    const connected = once(silent, 'connection');
    const service = startContained();
    await connected;
    expect(await stop(service)).toBe(0);
    for (const socket of sockets) socket.destroy();
    silent.close();
    writeFileSync(join(folder, 'service.yaml'), config);
  });
});
