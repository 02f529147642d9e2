/** Starts the service in the same way as the editor itself, so that the workbench treats it as its own. See client/local. */
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openApi } from '../../client/api/api.ts';
import { choosePort } from '../../client/local/port.ts';
import { isKept, logName, readRecord, release, urlOf, want, wantStill } from '../../client/local/record.ts';
import { localConfig } from '../../client/project/localConfig.ts';
import { variables } from '../../client/project/localNames.ts';
import { passwordFile } from '../../server/service/replication/embedded/password.ts';
import { beforeTheEnd, run, startGroup } from '../rigs/process.ts';
import { root } from '../root.ts';

export interface Service {
  readonly url: string;
  /** The folder with all data of the service. */
  readonly data: string;
  readonly token: string;
  /** The key that signs tokens for clients, in base64url. */
  readonly key: string;
  /** The environment variables for programs that need both secrets. */
  readonly env: Readonly<Record<string, string>>;
  /** Resolves with a message. */
  readonly ended: Promise<string>;
}

const dist = (name: string): string => join(root, 'dist', name);

/** The time limits for starting and stopping, in milliseconds. The keeper kills a service that does not end within 35 s. */
const patience = 60_000;
const longestStop = 40_000;
/**
 * The interval in milliseconds at which we tell the keeper that the service is still needed. The keeper ends it after a minute
 * without that.
 */
const wantEvery = 10_000;
/** The length of a secret in bytes. */
const secretLength = 32;

/** @param schema the SQL file that creates the database. The promise rejects with a message. */
export async function startService(data: string, schema: string): Promise<Service> {
  const secret = (): string => randomBytes(secretLength).toString('base64url');
  const [token, key] = [secret(), secret()];
  const env = { [variables.token]: token, [variables.key]: key };
  const port = await choosePort(0, undefined);
  const config = localConfig(undefined, {
    storage: join(data, 'data'),
    port,
    source: { kind: 'embedded', schema: [basename(schema)] },
  });
  want(data);
  // Another program may take the port in the meantime.
  const options = ['--port', `${port}+`];
  const keeper = startGroup(process.execPath, [dist('keeper.js'), dist('service.js'), data, ...options], {
    // The service stores the paths of its scripts relative to this folder, including for a restart by the workbench.
    cwd: dirname(schema),
    env: { ...process.env, ...env, POWERSYNC_CONFIG_B64: Buffer.from(config).toString('base64') },
    stdio: 'ignore',
  });
  beforeTheEnd(() => stop(data, keeper));
  setInterval(() => wantStill(data), wantEvery);
  const ended = new Promise<string>((resolve) => {
    keeper.once('exit', () => {
      const record = readRecord(data);
      resolve(record?.state === 'ended' ? record.sentence : 'The service has ended.');
    });
  });
  const url = await Promise.race([
    readyAt(data),
    ended.then((sentence) => Promise.reject(new Error(sentence))),
  ]);
  return { url, data, token, key, env, ended };
}

async function readyAt(data: string): Promise<string> {
  for (const end = Date.now() + patience; Date.now() < end; await sleep(50)) {
    const record = readRecord(data);
    if (record?.state === 'ready') return urlOf(record);
  }
  throw new Error(`The service does not become ready within ${patience / 1000} s.\n${logOf(data)}`);
}

/** Stops the service, no matter which keeper it has now, because the workbench may have restarted it. */
async function stop(data: string, first: ChildProcess): Promise<void> {
  release(data);
  for (const end = Date.now() + longestStop; Date.now() < end; await sleep(50)) {
    const record = readRecord(data);
    // Windows does not let a record be read while it is being replaced.
    if (record === undefined ? first.exitCode !== null : !isKept(record)) return;
  }
}

function logOf(data: string): string {
  const path = join(data, logName);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** Deploys with the command line, as a user would. Rejects with its output. */
export async function deploy({ url, token, data }: Service, file: string): Promise<void> {
  const args = [dist('cli.js'), 'deploy', file, '--service', url, '--quiet'];
  const env = { ...process.env, PS_ADMIN_TOKEN: token };
  const { code, output } = await run(process.execPath, args, { cwd: data, env, timeoutMs: patience });
  if (code !== 0) throw new Error(output.trim());
}

/** Returns a link that signs a browser in to the console once. */
export async function consoleOf(service: Pick<Service, 'url' | 'token'>): Promise<string | undefined> {
  const api = openApi(service);
  try {
    return await api.consoleLink().catch(() => undefined);
  } finally {
    await api.close();
  }
}

/** Returns the address for PostgreSQL clients. It may change when the workbench restarts the service. */
export async function databaseOf({
  url,
  token,
  data,
}: Pick<Service, 'url' | 'token' | 'data'>): Promise<string> {
  const api = openApi({ url, token });
  try {
    const { sources } = await api.diagnose();
    const [address] = sources.flatMap(({ uri }) => uri ?? []);
    if (address === undefined) throw new Error('The service tells no address of its database.');
    const password = readFileSync(join(data, 'data/source', passwordFile), 'utf8').trim();
    return address.replace('//', `//postgres:${password}@`);
  } finally {
    await api.close();
  }
}
