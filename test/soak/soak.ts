/**
 * Puts the built service under load for a time, and takes samples of its processes. At the end, its clients must have the
 * rows of the source.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openApi } from '../../client/api/api.ts';
import { root } from '../../scripts/root.ts';
import { groupBy } from '../../server/engine/ground/group.ts';
import { clientAuth } from '../support/clients/clientAuth.ts';
import { connectionConfig, startPostgres } from '../support/processes/postgres.ts';
import { startServiceProcess } from '../support/processes/serviceProcess.ts';
import { configNumber, ddl, type Load, sleep, startLoad } from './load.ts';
import { growthIn, type Sample } from './samples.ts';

export interface SoakReport {
  /** The samples of each process of the service, by the name of the process. */
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
  readonly done: Load['done'];
  /** One sentence for each problem. */
  readonly problems: readonly string[];
}

const adminToken = 'admin-token-of-the-soak';

/**
 * The number of samples, which is enough for a run of any length, and the shortest time between two samples in
 * milliseconds.
 */
const sampleCount = 60;
const leastBetween = 1_000;

/** @param workers the number of processes that serve clients; 0 if the service itself serves them */
export async function soak(seconds: number, workers = 0): Promise<SoakReport> {
  const postgres = await startPostgres();
  const database = await postgres.createDatabase();
  await postgres.query(ddl, undefined, database);
  const folder = mkdtempSync(join(tmpdir(), 'headwater-soak-'));
  const samplesFile = join(folder, 'samples');
  const config = join(folder, 'service.yaml');
  writeFileSync(config, configOf(folder, postgres.port, database));
  const every = Math.max(leastBetween, Math.round((seconds * 1_000) / sampleCount));
  const service = await startServiceProcess(config, {
    args: ['--workers', String(workers)],
    env: {
      NODE_OPTIONS: `--import=${pathToFileURL(join(root, 'test/soak/sampler.mjs'))}`,
      SOAK_SAMPLES: samplesFile,
      SOAK_EVERY: String(every),
    },
  });
  let load: Load | undefined;
  try {
    await activate(service.url);
    load = await startLoad({ url: service.url, adminToken, postgres, database });
    // Samples from before the load are discarded.
    writeFileSync(samplesFile, '');
    await sleep(seconds * 1_000);
    const samples = readSamples(samplesFile, service.pid);
    await load.rest();
    const inSync = await isInSyncSoon(load);
    const problems = [
      ...[...samples].flatMap(([name, some]) => growthIn(some).map((sentence) => `${name}: ${sentence}`)),
      // If a worker ended, both this worker and its replacement have samples.
      ...(samples.size === 1 + workers ? [] : [`There were ${samples.size} processes.`]),
      ...load.complaints.slice(0, 10),
      ...(inSync ? [] : ['The clients do not have what the source has.']),
    ];
    return { samples, done: load.done, problems };
  } finally {
    await load?.rest();
    await load?.close();
    await service.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function configOf(folder: string, port: number, database: string): string {
  return JSON.stringify({
    replication: { connections: [connectionConfig({ port }, database)] },
    storage: { type: 'embedded', path: join(folder, 'storage') },
    port: 0,
    api: { tokens: [adminToken] },
    client_auth: clientAuth,
  });
}

async function activate(url: string): Promise<void> {
  const api = openApi({ url, token: adminToken });
  await api.deploy(configNumber(0));
  while ((await api.diagnose()).active === undefined) await sleep(100);
  await api.close();
}

function readSamples(file: string, servicePid: number): SoakReport['samples'] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  const samples = lines.map((line) => JSON.parse(line) as Sample & { readonly pid: number });
  return groupBy(samples, ({ pid }) => (pid === servicePid ? 'the service' : `worker ${pid}`));
}

async function isInSyncSoon(load: Load): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await load.isInSync()) return true;
    await sleep(100);
  }
  return false;
}
