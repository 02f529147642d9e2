/** A storage in PostgreSQL that two services share over faulty networks, and the faults that this adds. */
import { type FaultyProxy, startFaultyProxy } from '../support/processes/faultyProxy.ts';
import { startPostgres, superuser } from '../support/processes/postgres.ts';
import type { ServiceProcess } from '../support/processes/serviceProcess.ts';
import type { Client } from './clients.ts';
import type { Random } from './random.ts';
import type { TestSource } from './source.ts';

export interface Cluster {
  /** `storage` of a service config, as JSON. */
  readonly storage: string;
  /** The source's connection, through a proxy that can fail. */
  readonly connection: string;
  readonly ways: readonly FaultyProxy[];
  /** The standby: serves clients, and waits to take over when the first process ends. */
  second: ServiceProcess | undefined;
  stop(): Promise<void>;
}

export async function openCluster(source: TestSource): Promise<Cluster> {
  const postgres = await startPostgres();
  const database = await postgres.createDatabase();
  const toStorage = await startFaultyProxy(postgres.port);
  const toSource = await startFaultyProxy((JSON.parse(source.connection) as { port: number }).port);
  const { user: username, password } = superuser;
  const server = { type: 'postgresql', hostname: '127.0.0.1', port: toStorage.port, sslmode: 'disable' };
  return {
    storage: JSON.stringify({ ...server, database, username, password }),
    connection: JSON.stringify({ ...JSON.parse(source.connection), port: toSource.port }),
    ways: [toStorage, toSource],
    second: undefined,
    stop: async () => {
      await Promise.all([toStorage.close(), toSource.close()]);
      await postgres.stop();
    },
  };
}

/** The part of the run that these faults change. */
export interface ClusterWorld {
  readonly cluster: Cluster | undefined;
  readonly random: Random;
  service: ServiceProcess | undefined;
  kills: number;
  startService(): Promise<ServiceProcess>;
}

type ClusterFault = (world: ClusterWorld, cluster: Cluster, clients: readonly Client[]) => Promise<void>;

/** Milliseconds for which a process is stopped: longer than its right to write lasts. */
const still = 5_000;

const clusterFaults: Readonly<Record<string, ClusterFault>> = {
  'standby takes over from one that was killed': async (world, cluster) => {
    const former = swap(world, cluster);
    await former?.kill();
    world.kills += 1;
    cluster.second = await world.startService();
  },
  'standby takes over from one that stands still': async (world, cluster, clients) => {
    const former = swap(world, cluster);
    if (former === undefined) return;
    process.kill(former.pid, 'SIGSTOP');
    for (const client of clients) client.drop();
    await pause(still + world.random.below(2_000));
    process.kill(former.pid, 'SIGCONT');
    cluster.second = former;
  },
  'silent connections': async ({ random }, { ways }) => {
    const which = [/LISTEN headwater/, /START_REPLICATION/, /^(?!.*(LISTEN|START_REPLICATION))/s, /(?:)/];
    for (const way of ways) way.setPresent('swallow', random.pick(which));
  },
  'a silent network': async ({ random }, { ways }) => {
    const way = random.pick(ways);
    way.set(random.pick(['swallow', 'hold'] as const));
    await pause(random.below(6_000));
    way.set('pass');
  },
};

/** Returns the faults by name; none without a cluster. */
export function faultsOf({
  cluster,
}: ClusterWorld): Readonly<
  Record<string, (world: ClusterWorld, clients: readonly Client[]) => Promise<void>>
> {
  if (cluster === undefined) return {};
  return Object.fromEntries(
    Object.entries(clusterFaults).map(([name, fault]) => [
      name,
      (world, clients) => fault(world, cluster, clients),
    ]),
  );
}

/** Makes the second process the first one, and returns the former first one. */
function swap(world: ClusterWorld, cluster: Cluster): ServiceProcess | undefined {
  const former = world.service;
  world.service = cluster.second;
  cluster.second = undefined;
  return former;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
