/**
 * Runs random transactions, clients and faults for a while. Then all clients must reach the last state, and every state that a
 * client has shown is checked. Jepsen tests databases in the same way.
 */
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { patient } from '../../scripts/run/patience.ts';
import { clientAuth, clientToken } from '../support/clients/clientAuth.ts';
import type { ServerSettings } from '../support/processes/postgres.ts';
import { runService, type ServiceOptions, startServiceProcess } from '../support/processes/serviceProcess.ts';
import { type Observations, openObservations, violationsIn } from './check.ts';
import { type Client, startClient } from './clients.ts';
import { changeDefinition, withoutGenerated } from './definitions.ts';
import { type Current, type DeployedVersion, openDeployed } from './deployments.ts';
import { type History, openHistory } from './history.ts';
import { type Random, randomOf } from './random.ts';
import { accountIds, configOf, deployKinds, listIds, markIn, markShown, users } from './scenario.ts';
import { openEmbedded, openPostgres, type TestSource } from './source.ts';
import { type ClusterWorld, faultsOf, openCluster } from './standby.ts';
import { redefine, transact } from './transactions.ts';

export interface RunSettings {
  /** When faults end: after some seconds, or after a number of faults, kinds of faults and kills. */
  readonly lasts:
    | { readonly seconds: number }
    | { readonly faults: number; readonly kinds: number; readonly kills: number };
  readonly seed: number;
  readonly source: 'postgresql' | 'embedded';
  /** The default is embedded. PostgreSQL as storage also means two processes, and PostgreSQL as source. */
  readonly storage?: 'embedded' | 'postgresql';
  /** Matches the names of the faults to make. Absent: all. */
  readonly only?: RegExp;
  /** Continues without faults until clients have shown this many states, because a busy machine needs longer. */
  readonly states?: number;
  /** Ends early after this many kills of the service. */
  readonly kills?: number;
  /** Milliseconds between faults, on average; absent: none. */
  readonly faultEvery?: number;
  readonly writers?: number;
  /** The number of workers that serve clients in each service. Absent: the service itself serves them. */
  readonly workers?: number;
  /** The program to run instead of the built service. */
  readonly program?: string;
  /** Settings of a PostgreSQL server as source. */
  readonly sourceSettings?: ServerSettings;
  /** Whether writers rest after each fault until all clients show the last change. A later change would wake a client. */
  readonly rests?: boolean;
  /** The time limit in milliseconds until all clients show the last change. */
  readonly patience?: number;
  readonly say?: (sentence: string) => void;
}

export interface RunReport {
  readonly violations: readonly string[];
  readonly transactions: number;
  readonly observations: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly kills: number;
  readonly longestRest: Rest | undefined;
}

/** The time from the last change until all clients show it. */
export interface Rest {
  readonly milliseconds: number;
  /** The fault before it. */
  readonly after: string;
}

const adminToken = 'admin-token-of-the-test';

export async function runConsistency(settings: RunSettings): Promise<RunReport> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-consistency-'));
  const source =
    settings.source === 'embedded' ? await openEmbedded(folder) : await openPostgres(settings.sourceSettings);
  const cluster = settings.storage === 'postgresql' ? await openCluster(source) : undefined;
  const world: World = {
    cluster,
    startService: () => startServiceProcess(writeConfig(world), optionsOf(world)),
    settings,
    folder,
    source,
    random: randomOf(settings.seed),
    history: openHistory(settings.source === 'postgresql' ? withoutGenerated : undefined),
    observations: openObservations(),
    violations: [],
    faults: {},
    revision: 0,
    kills: 0,
    longestRest: undefined,
    gate: { isClosed: false, busy: 0 },
    deployed: openDeployed(),
    stop: new AbortController(),
    clientsStop: new AbortController(),
    service: undefined,
  };
  try {
    world.service = await world.startService();
    if (cluster !== undefined) cluster.second = await world.startService();
    await begin(world);
    await deploy(world);
    const clients = users.flatMap((user) => [1, 2].map((n) => start(world, user, n)));
    const writing = Array.from({ length: settings.writers ?? 3 }, (_, n) => write(world, n));
    await disturb(world, clients);
    await reachStates(world);
    world.stop.abort();
    await Promise.all(writing);
    await comeToRest(world, clients);
    return {
      violations: [...world.violations, ...violationsIn(world.history, world.observations.all)],
      transactions: world.history.last,
      observations: world.observations.all.length,
      faults: world.faults,
      kills: world.kills,
      longestRest: world.longestRest,
    };
  } finally {
    world.stop.abort();
    world.clientsStop.abort();
    await world.service?.kill();
    await cluster?.second?.kill();
    await cluster?.stop();
    await source.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface World extends ClusterWorld {
  readonly settings: RunSettings;
  readonly folder: string;
  readonly source: TestSource;
  readonly random: Random;
  readonly history: History;
  readonly observations: Observations;
  readonly violations: string[];
  readonly faults: Record<string, number>;
  /** Stops the writers. */
  readonly stop: AbortController;
  readonly clientsStop: AbortController;
  readonly deployed: DeployedVersion;
  /** Writers do not begin a transaction while the gate is closed. `busy` counts the writers that are in a transaction. */
  readonly gate: { isClosed: boolean; busy: number };
  revision: number;
  longestRest: Rest | undefined;
}

function optionsOf({ settings: { program, workers = 0 } }: World): ServiceOptions {
  return {
    ...(program !== undefined && { program }),
    ...(workers > 0 && { args: ['--workers', String(workers)] }),
  };
}

function writeConfig({ folder, source, cluster }: World): string {
  const path = join(folder, 'service.yaml');
  writeFileSync(
    path,
    `replication: { connections: [${cluster?.connection ?? source.connection}] }
storage: ${cluster?.storage ?? `{ type: embedded, path: ${join(folder, 'storage')} }`}
port: 0
api: { tokens: [${adminToken}] }
client_auth: ${JSON.stringify(clientAuth)}
`,
  );
  return path;
}

/** Writes version 1 in the first transaction. */
async function begin({ source, history }: World): Promise<void> {
  const lists = listIds.map((id) => ({ id, title: 'list', note: 'x' }));
  const accounts = accountIds.map((id, n) => ({
    id,
    owner: users[n % users.length] as string,
    balance: 1000,
  }));
  const client = await source.client();
  await client.query('BEGIN');
  for (const { id, title } of lists) await client.query('INSERT INTO lists VALUES ($1, $2)', [id, title]);
  for (const { id, owner, balance } of accounts) {
    await client.query('INSERT INTO accounts VALUES ($1, $2, $3)', [id, owner, balance]);
  }
  await client.query(`UPDATE version SET n = 1; INSERT INTO journal VALUES (1, 'begin'); COMMIT`);
  await client.end();
  history.add({
    version: 1,
    effects: [
      ...lists.map((row) => ({ kind: 'put', table: 'lists', row }) as const),
      ...accounts.map((row) => ({ kind: 'put', table: 'accounts', row }) as const),
    ],
  });
}

interface AdminAnswer {
  readonly status: number;
  readonly ok: boolean;
  readonly text: string;
  /** The answer with the last lines of the log, because an answer about a failure only refers to the log. */
  readonly sentence: string;
}

/** Returns undefined if no answer comes, for example because the service was killed. */
async function askAdmin({ service }: World, path: string, body: object): Promise<AdminAnswer | undefined> {
  try {
    const answer = await fetch(`${service?.url}/api/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { status, ok } = answer;
    const text = await answer.text();
    const said = troublesIn(service?.output() ?? '').slice(-toldTroubles);
    return {
      status,
      ok,
      text,
      sentence: [`${path} was answered with ${status}: ${text}`, ...said].join('\n'),
    };
  } catch {
    return undefined;
  }
}

const toldTroubles = 5;

function troublesIn(log: string): readonly string[] {
  return log.split('\n').filter((line) => /^\S+ (error|warn) /.test(line) && !line.includes(' path=/sync/'));
}

/** Asks again while the answer is 503 or 504, because such failures are temporary. */
async function askAdminPatiently(world: World, path: string, body: object): Promise<AdminAnswer | undefined> {
  const deadline = performance.now() + settlesWithin;
  for (;;) {
    const answer = await askAdmin(world, path, body);
    const isPassing = answer?.status === 503 || answer?.status === 504;
    if (!isPassing || performance.now() > deadline) return answer;
    await pause(100);
  }
}

/**
 * Deploys the next config. A service that is killed meanwhile does not answer, and the config may then be deployed or not.
 *
 * @param rate the most rows to copy in a second
 */
async function deploy(world: World, rate?: number): Promise<void> {
  world.revision += 1;
  const content = configOf(world.revision);
  world.deployed.sent(content);
  const order = { content, ...(rate !== undefined && { rows_per_second: rate }) };
  const answer = await askAdminPatiently(world, 'sync-rules/v1/deploy', order);
  if (answer?.ok) world.deployed.acknowledged(content);
  else if (answer !== undefined) world.violations.push(answer.sentence);
}

/** Returns false if nothing is being copied any more. Asks again until the service answers. */
async function controlCopy(world: World, order: object): Promise<boolean> {
  const { ok } = await askAdminAgain(world, 'admin/v1/copy', order, [409]);
  return ok;
}

async function readCurrent(world: World): Promise<Current> {
  return currentOf(await diagnose(world));
}

async function diagnose(world: World): Promise<DiagnosticsAnswer> {
  const { text } = await askAdminAgain(world, 'admin/v1/diagnostics', { sync_rules_content: true });
  return JSON.parse(text) as DiagnosticsAnswer;
}

/** Asks again after an error, because a silent network may make the storage unreachable for some seconds. */
async function askAdminAgain(
  world: World,
  path: string,
  body: object,
  fine: readonly number[] = [],
): Promise<AdminAnswer> {
  const deadline = performance.now() + settlesWithin;
  for (;;) {
    const answer = await askAdmin(world, path, body);
    if (answer?.ok || fine.includes(answer?.status ?? 0)) return answer as AdminAnswer;
    if (performance.now() > deadline) throw new Error(answer?.sentence ?? `${path} was not answered.`);
    await pause(100);
  }
}

interface DiagnosticsAnswer {
  readonly data: Record<'active_sync_rules' | 'deploying_sync_rules', { content: string } | undefined> & {
    readonly workers?: readonly { readonly pid?: number }[];
  };
}

function currentOf({ data }: DiagnosticsAnswer): Current {
  return { active: data.active_sync_rules?.content, pending: data.deploying_sync_rules?.content };
}

/** Starts a client. The second client of each user connects to the second process if there is one. */
function start(world: World, user: string, n: number): Client {
  const service = () => (n === 2 ? (world.cluster?.second ?? world.service) : world.service);
  return startClient({
    name: `${user}-${n}`,
    user,
    url: () => service()?.url ?? 'http://127.0.0.1:1',
    token: () => clientToken(user),
    observe: world.observations.add,
    violate: (sentence) => world.violations.push(sentence),
    stop: world.clientsStop.signal,
  });
}

/** The most versions that writers may be ahead of the clients. Unlimited writers would leave a slow service ever further behind. */
const mostAhead = 500;

async function write(world: World, writer: number): Promise<void> {
  const { history, observations, source, stop, settings, gate } = world;
  const random = randomOf(settings.seed * 31 + writer);
  let client: pg.Client | undefined;
  for (let n = 0; !stop.signal.aborted; n += 1) {
    client ??= await source.client().catch(() => undefined);
    if (client === undefined) {
      await pause(50);
      continue;
    }
    if (gate.isClosed || history.last - observations.latest > mostAhead) {
      await pause(20);
      continue;
    }
    gate.busy += 1;
    const attempt = await transact(client, random, `${writer}/${n}`);
    if (attempt !== undefined && (!attempt.unknown || (await hasHappened(world, attempt))))
      history.add(attempt);
    gate.busy -= 1;
    const isAlive = await client.query('SELECT').then(
      () => true,
      () => false,
    );
    if (!isAlive) client = undefined;
    await pause(random.below(20));
  }
  await client?.end();
}

/** Returns whether a transaction was committed. Asks until the database answers. */
async function hasHappened(
  { source }: World,
  { version, transaction }: { readonly version: number; readonly transaction: string },
): Promise<boolean> {
  for (;;) {
    const rows = await ask<{ transaction: string }>(source, 'SELECT transaction FROM journal WHERE n = $1', [
      version,
    ]);
    if (rows !== undefined) return rows[0]?.transaction === transaction;
    await pause(50);
  }
}

/** Returns undefined if the source does not answer. */
async function ask<Row>(
  source: TestSource,
  sql: string,
  args: readonly unknown[],
): Promise<Row[] | undefined> {
  const client = await source.client().catch(() => undefined);
  const result = await client?.query(sql, [...args]).catch(() => undefined);
  await client?.end().catch(() => undefined);
  return result?.rows as Row[] | undefined;
}

async function disturb(world: World, clients: readonly Client[]): Promise<void> {
  const { lasts, faultEvery, kills = Number.POSITIVE_INFINITY } = world.settings;
  const until = 'seconds' in lasts ? performance.now() + lasts.seconds * 1000 : Number.POSITIVE_INFINITY;
  const isOver = () => performance.now() >= until || world.kills >= kills || isEnough(world);
  while (!isOver()) {
    await pause(Math.min(world.random.below(2 * (faultEvery ?? 500)), until - performance.now()));
    if (faultEvery === undefined || isOver()) continue;
    const { only = /(?:)/ } = world.settings;
    const all: Readonly<Record<string, Fault>> = {
      ...faults,
      ...faultsOf(world),
      ...((world.settings.workers ?? 0) > 0 && workerFaults),
    };
    const [name, fault] = world.random.pick(Object.entries(all).filter(([each]) => only.test(each)));
    world.faults[name] = (world.faults[name] ?? 0) + 1;
    world.settings.say?.(`version ${world.history.last}: ${name}`);
    await fault(world, clients);
    if (world.settings.rests && !(await rest(world, clients, name))) return;
  }
}

/** Whether there were enough faults, if the settings ask for a number of them. */
function isEnough({ settings: { lasts }, faults: made, kills }: World): boolean {
  if ('seconds' in lasts) return false;
  const counts = Object.values(made);
  const all = counts.reduce((sum, count) => sum + count, 0);
  return all >= lasts.faults && counts.length >= lasts.kinds && kills >= lasts.kills;
}

/**
 * Waits until all clients show the last change and have their write checkpoints; returns whether they do. A deployment or copy that
 * is in progress must not prevent this. In half of the calls, it must also finish while nothing is written.
 */
async function rest(world: World, clients: readonly Client[], after: string): Promise<boolean> {
  const { history, violations, settings, random } = world;
  const patience = settings.patience ?? longestWait;
  const numbers = new Map<Client, bigint>();
  const isLate = (client: Client) =>
    client.version() !== history.last || (client.writeCheckpoint() ?? 0n) < (numbers.get(client) ?? 0n);
  await alone(world, async () => {
    const began = performance.now();
    await Promise.all(
      clients.map(async (client) => {
        const number = await createNumber(world, client);
        if (number !== undefined) numbers.set(client, number);
      }),
    );
    while (clients.some(isLate) && performance.now() - began < patience) await pause(10);
    const milliseconds = performance.now() - began;
    if (milliseconds > (world.longestRest?.milliseconds ?? 0)) world.longestRest = { milliseconds, after };
    for (const client of clients.filter(isLate)) {
      const shown = `version ${client.version()} and number ${client.writeCheckpoint()}`;
      const last = `version ${history.last} and number ${numbers.get(client)}`;
      violations.push(`${client.name} shows ${shown} after "${after}", and waits for ${last}.`);
    }
    if (random.below(2) === 0) return;
    const deadline = performance.now() + patience;
    violations.push(...(await unfinished(world, deadline)), ...(await outdated(world, clients, deadline)));
  });
  if (violations.length > 0) settings.say?.(endOfLog(world));
  return violations.length === 0;
}

/** Asks a random process for a write checkpoint of the client. Returns undefined without an answer, as from a killed worker. */
async function createNumber(
  { service, cluster, random }: World,
  { name, user }: Client,
): Promise<bigint | undefined> {
  const { url } = (random.below(2) === 0 ? cluster?.second : service) ?? service ?? {};
  const headers = { authorization: `Bearer ${await clientToken(user)}` };
  const answer = await fetch(`${url}/write-checkpoint2.json?client_id=${name}`, { headers }).catch(
    () => undefined,
  );
  if (!answer?.ok) return undefined;
  const { data } = (await answer.json()) as { readonly data: { readonly write_checkpoint: string } };
  return BigInt(data.write_checkpoint);
}

type Fault = (world: World, clients: readonly Client[]) => Promise<void>;

const faults = {
  'service killed': async (world) => restart(world),
  'service killed, compacted': async (world) => restart(world, true),
  'service killed at its start': async (world) => {
    await restart(world);
    await pause(world.random.below(300));
    await restart(world);
  },
  'source restarted': async ({ source, random }) => source.restart?.(() => pause(random.below(1000))),
  'connections dropped': async ({ random }, clients) => {
    for (const client of clients) if (random.below(2) === 0) client.drop();
  },
  'compacted while clients sync': async (world) => compactRunning(world),
  redeployed: async (world) => deploy(world),
  'redeployed and killed': async (world) => {
    await deploy(world);
    await pause(world.random.below(800));
    await restart(world);
  },
  'killed while it is deployed': async (world) => {
    const deployed = deploy(world);
    await pause(world.random.below(20));
    await restart(world);
    await deployed;
  },
  'copied with pauses': async (world) => {
    const { random } = world;
    await deploy(world, 5 + random.below(200));
    await pause(random.below(200));
    await controlCopy(world, { action: 'pause' });
    if (random.below(2) === 0) await restart(world);
    await pause(random.below(1000));
    await controlCopy(world, { action: 'resume' });
    await pause(random.below(300));
    await controlCopy(world, { action: 'rate', rows_per_second: null });
  },
  'copy given up': async (world) => {
    await untilSettled(world);
    const { active } = await readCurrent(world);
    if (active === undefined) return;
    await deploy(world, 5 + world.random.below(200));
    await pause(world.random.below(500));
    if (!(await controlCopy(world, { action: 'give-up' }))) return;
    // The active config counts as the newest again.
    world.deployed.sent(active);
    world.deployed.acknowledged(active);
  },
  'data folder put back': async (world) => {
    await untilSettled(world);
    await restart(world, undefined, () => copyStorage(world, 'keep'));
    await pause(500 + world.random.below(1500));
    await restart(world, undefined, () => copyStorage(world, 'put back'));
  },
  'restored source': async (world) => restore(world),
  // This standby has not received the last changes.
  'standby takes over': async (world) => restore(world, world.source.promote),
  'publication changed': async (world) => {
    if (world.settings.source === 'embedded') return;
    await redefineLists(world, [
      'ALTER PUBLICATION powersync DROP TABLE lists',
      `UPDATE lists SET title = 'unheard' || n FROM version WHERE lists.id IN ('l0', 'l1')`,
      'ALTER PUBLICATION powersync ADD TABLE lists',
      `UPDATE lists SET title = title WHERE id = 'l2'`,
    ]);
  },
  'column re-made': async (world) =>
    redefineLists(world, [
      'ALTER TABLE lists DROP COLUMN IF EXISTS note, ADD COLUMN note text',
      `UPDATE lists SET note = 'noted' || n FROM version WHERE lists.id = 'l' || n % 6`,
    ]),
  'replica identity changed': async (world) => {
    const identity = world.random.pick(['FULL', 'DEFAULT']);
    await redefineLists(world, [
      `ALTER TABLE items REPLICA IDENTITY ${identity}`,
      `ALTER TABLE lists REPLICA IDENTITY ${identity}`,
      `UPDATE lists SET title = 'identified' || n FROM version WHERE lists.id = 'l3'`,
    ]);
  },
  'definition changed': async (world) => changeLists(world),
  'definition changed while the service is down': async (world) => {
    if (world.settings.source === 'postgresql') await restart(world, undefined, () => changeLists(world));
  },
} as const satisfies Readonly<Record<string, Fault>>;

const workerFaults = {
  'worker killed': async (world) => {
    const pid = world.random.pick(await workersOf(world));
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  },
  'worker stands still': async (world) => {
    const pid = world.random.pick(await workersOf(world));
    if (pid === undefined) return;
    process.kill(pid, 'SIGSTOP');
    await pause(world.random.below(4_000));
    process.kill(pid, 'SIGCONT');
  },
} as const satisfies Readonly<Record<string, Fault>>;

/** Returns the process ids of the workers; undefined for one that is being started again. */
async function workersOf(world: World): Promise<readonly (number | undefined)[]> {
  const { data } = await diagnose(world);
  return (data.workers ?? []).map(({ pid }) => pid);
}

/** Waits until the last deployment is active, because a copy of an earlier state would prove nothing. */
async function untilSettled(world: World): Promise<void> {
  const deadline = performance.now() + settlesWithin;
  while (!world.deployed.isSettled(await readCurrent(world)) && performance.now() < deadline) await pause(50);
}

/** The time limit in milliseconds for an answer, and for a deployment to become active. */
const settlesWithin = patient(10_000);

/** Does the work while no transaction is open. */
async function alone({ gate }: World, work: () => Promise<void>): Promise<void> {
  gate.isClosed = true;
  while (gate.busy > 0) await pause(20);
  await work();
  gate.isClosed = false;
}

async function restore(world: World, then: () => Promise<void> = async () => {}): Promise<void> {
  const { source, random } = world;
  const { keepCopy, putBack } = source;
  if (keepCopy === undefined || putBack === undefined) return;
  await untilSettled(world);
  await alone(world, keepCopy);
  await pause(500 + random.below(1500));
  await alone(world, async () => {
    await putBack();
    await then();
    await continueLater(world);
  });
}

/** Continues with a new version, since the versions that the source has lost were committed once. */
async function continueLater({ source, history }: World): Promise<void> {
  const client = await source.client();
  const { rows } = await client.query('SELECT n::int FROM version');
  const version = history.last + 1;
  await client.query('UPDATE version SET n = $1', [version]);
  await client.end();
  history.add({ version, effects: [], after: (rows[0] as { n: number }).n });
}

async function redefineLists(world: World, statements: readonly string[]): Promise<void> {
  await redefineBy(world, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

async function changeLists(world: World): Promise<void> {
  const { settings, random } = world;
  const { source, say = () => {} } = settings;
  const isListed = source === 'postgresql';
  await redefineBy(world, (client) =>
    changeDefinition(client, { random, isListed, say: (kind) => say(`  ${kind}`) }),
  );
}

async function redefineBy(world: World, change: (client: pg.Client) => Promise<void>): Promise<void> {
  const { source, history } = world;
  const client = await source.client();
  await alone(world, async () => {
    history.add(await redefine(client, `redefined after ${history.last}`, () => change(client)));
  });
  await client.end();
}

/** Copies only the files of the storage, because an embedded source is in the same folder. */
async function copyStorage({ folder }: World, what: 'keep' | 'put back'): Promise<void> {
  for (const name of ['data.sqlite', 'data.sqlite-wal', 'data.sqlite-shm', 'deployments.json']) {
    const there = join(folder, 'storage', name);
    const [from, to] = what === 'keep' ? [there, `${there}.kept`] : [`${there}.kept`, there];
    rmSync(to, { force: true });
    if (existsSync(from)) copyFileSync(from, to);
  }
}

async function restart(
  world: World,
  compacting = false,
  whileDown: () => Promise<void> = async () => {},
): Promise<void> {
  await world.service?.kill();
  world.kills += 1;
  const config = writeConfig(world);
  if (compacting) await compact(world, config);
  await whileDown();
  world.service = await startServiceProcess(config, optionsOf(world));
  world.violations.push(...world.deployed.violationsIn(await readCurrent(world)));
}

/** Compacts the storage. Half of the compactions are killed while they run. */
async function compact(world: World, config: string): Promise<void> {
  const limit = world.random.below(2) === 0 ? { killAfter: world.random.below(600) } : {};
  const { code, output } = await runService(['compact', '-c', config], { ...optionsOf(world), ...limit });
  if (code !== 0 && code !== null) world.violations.push(`A compaction ended with ${code}: ${output}`);
}

async function compactRunning(world: World): Promise<void> {
  const answer = await askAdminPatiently(world, 'admin/v1/compact', {});
  if (!answer?.ok) world.violations.push(answer?.sentence ?? 'A compaction was not answered.');
}

function endOfLog({ service }: World): string {
  return service?.output().slice(-3000) ?? '';
}

/** The default time limit in milliseconds until all clients show the last change. */
const longestWait = patient(60_000);

/** Waits without faults until clients have shown enough states. Each may take as long as the last change at the end. */
async function reachStates(world: World): Promise<void> {
  const { settings, observations, violations } = world;
  const { states = 0, patience = longestWait } = settings;
  const count = () => observations.all.length;
  let before = count();
  let deadline = performance.now() + patience;
  while (count() < states) {
    await pause(50);
    if (count() > before) deadline = performance.now() + patience;
    before = count();
    if (performance.now() < deadline) continue;
    violations.push(
      `Clients were in ${before} states, and then in no other one for ${patience} ms:\n${endOfLog(world)}`,
    );
    return;
  }
}

async function comeToRest(world: World, clients: readonly Client[]): Promise<void> {
  const { history, violations } = world;
  const deadline = performance.now() + (world.settings.patience ?? longestWait);
  const late = () => clients.filter((client) => client.version() !== history.last);
  while (late().length > 0 && performance.now() < deadline) await pause(100);
  for (const client of late()) {
    violations.push(`${client.name} shows version ${client.version()} at the end, and not ${history.last}.`);
  }
  if (late().length > 0) world.settings.say?.(endOfLog(world));
  const [sum] = (await ask<{ sum: string }>(world.source, 'SELECT sum(balance) FROM accounts', [])) ?? [];
  if (Number(sum?.sum) !== accountIds.length * 1000) violations.push('The test itself has lost money.');
  violations.push(...(await unfinished(world, deadline)));
  // The active config must serve all clients after each kind of deploy, also without faults.
  for (let left = deployKinds; left > 0 && violations.length === 0; left -= 1) {
    violations.push(...(await outdated(world, clients, deadline)));
    await deploy(world);
    violations.push(...(await unfinished(world, deadline)));
  }
  violations.push(...(await outdated(world, clients, deadline)));
  world.clientsStop.abort();
  await Promise.all(clients.map(({ stopped }) => stopped));
}

/** Waits until the last deployment is active. */
async function unfinished(world: World, deadline: number): Promise<readonly string[]> {
  for (;;) {
    if (world.deployed.isSettled(await readCurrent(world))) return [];
    if (performance.now() > deadline) return ['What was deployed last is not active at the end.'];
    await pause(100);
  }
}

/** Waits until the active config serves all clients. */
async function outdated(
  world: World,
  clients: readonly Client[],
  deadline: number,
): Promise<readonly string[]> {
  const { active = '' } = await readCurrent(world);
  const mark = markIn(active);
  const hasOther = ({ rows }: Client) => {
    const hasLists = [...rows().keys()].some((key) => key.startsWith('lists/'));
    return hasLists && markShown(rows()) !== mark;
  };
  while (clients.some(hasOther) && performance.now() < deadline) await pause(100);
  return clients
    .filter(hasOther)
    .map(({ name, rows }) => `${name} shows ${markShown(rows())} at the end, and not ${mark}.`);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
