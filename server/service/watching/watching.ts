/** Routes for admins that show the state of the service and its last hour: numbers, events and connected clients. */
import { type DeployedConfig, readDeployedConfigs } from '../deployments/deployedConfigs.ts';
import { meaningsIn, type SyncConfigs } from '../deployments/syncConfigs.ts';
import { createListeners } from '../ground/listeners.ts';
import type { Metrics } from '../ground/metrics.ts';
import { attempt, repeat, startAlone } from '../ground/unattended.ts';
import type { Clock } from '../ground/world.ts';
import type { Route } from '../http/route.ts';
import type { JobStatus } from '../replication/jobs/entry.ts';
import { lagOf } from '../replication/jobs/progress.ts';
import type { Deployment } from '../storage/deployment.ts';
import type { Storage } from '../storage/storage.ts';
import type { ConnectedClients } from '../sync/clients.ts';
import { openClientPictures } from './clientPictures.ts';
import type { MeaningOf } from './deploymentNews.ts';
import { describeEvent, type EventLog } from './eventLog.ts';
import { answerEvents, type EventParts } from './events.ts';
import { describeLargest, findLargest } from './largest.ts';
import { openRecordWatch } from './records.ts';
import { describeSample, openSamples, type ServiceSecond } from './samples.ts';

interface WatchingParts {
  readonly timeline: EventLog;
  readonly storage: Pick<Storage, 'deployments' | 'watch' | 'reader' | 'stored'>;
  readonly configs: Pick<SyncConfigs, 'read'>;
  readonly metrics: Pick<Metrics, 'value'>;
  readonly clients: Pick<ConnectedClients, 'size' | 'all'>;
  readonly jobs: () => readonly JobStatus[];
  /** Absent for a source that does not report whether it answers. */
  readonly source: { isLost(): boolean } | undefined;
  /** Updates the metrics of the storage. */
  readonly measure: () => Promise<void>;
  /** Returns the memory in bytes, or undefined if it cannot be read. */
  readonly memory: () => number | undefined;
  readonly version: string;
  readonly clock: Clock;
}

export interface Watching {
  readonly routes: readonly Route[];
  /** Called when the records of deployments may have changed. */
  readonly wake: () => void;
  /** Runs until aborted. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

const sampling = 'Taking a sample of the service';

/** Intervals in milliseconds. Measuring the storage takes a query, so it is rare. */
const every = { second: 1_000, measure: 60_000 };
/** The first measurements follow each other more quickly, because much is stored after a start. */
const firstMeasures = { count: 12, every: 5_000 };

const admin = { method: 'POST', access: 'admin', body: 'json' } as const;
const prefix = '/api/admin/v1';

export function openWatching(parts: WatchingParts): Watching {
  const { timeline, storage, configs, clients, jobs, source, clock, memory, metrics } = parts;
  const seconds = createListeners<ServiceSecond>();
  const history = openSamples({
    metrics,
    clock,
    memory,
    clients: () => clients.size,
    // Changes in a source that does not answer are unknown, and so is the lag.
    lag: () => (source?.isLost() ? undefined : largestLag(jobs(), clock.now())),
  });
  const meaningOf: MeaningOf = ({ content }) => meaningsIn(configs.read(content));
  const records = openRecordWatch({ storage, meaningOf, timeline, clock });
  const events: EventParts = {
    history,
    timeline,
    clients: clients.all,
    head: records.head,
    watchHead: records.watchHead,
    watchSeconds: seconds.watch,
    version: parts.version,
    clock,
  };
  const takeSeconds = async (signal: AbortSignal): Promise<void> => {
    let measuredAt = Number.NEGATIVE_INFINITY;
    let measures = 0;
    const restarts = watchRestarts(timeline);
    const step = (): void => {
      const now = clock.steady();
      const pause = measures < firstMeasures.count ? firstMeasures.every : every.measure;
      if (now - measuredAt >= pause) {
        measuredAt = now;
        measures += 1;
        // A storage that does not answer is reported elsewhere. Its size is unknown until it answers.
        startAlone('Measuring the storage', parts.measure);
      }
      restarts(jobs());
      seconds.call(history.take());
    };
    await attempt(sampling, step);
    await repeat(sampling, { every: every.second, clock, signal }, step);
  };
  return {
    wake: records.wake,
    routes: routesOf(events, storage),
    run: async (signal) => {
      timeline.add({ kind: 'start', message: `The service has started (version ${parts.version}).` });
      await Promise.all([takeSeconds(signal), records.run(signal)]);
    },
  };
}

function largestLag(jobs: readonly JobStatus[], now: number): number | undefined {
  const lags = jobs.flatMap((job) => lagOf(job, now) ?? []);
  return lags.length === 0 ? undefined : Math.max(...lags);
}

/** Adds failed attempts of replication to the timeline. Each is followed by a restart. */
function watchRestarts(timeline: Pick<EventLog, 'add'>): (jobs: readonly JobStatus[]) => void {
  const told = new Map<number, number>();
  return (jobs) => {
    for (const { deployment, lastFailure } of jobs) {
      if (lastFailure === undefined || told.get(deployment) === lastFailure.at) continue;
      told.set(deployment, lastFailure.at);
      timeline.add({ kind: 'error', message: `Replication was interrupted: ${lastFailure.message}` });
    }
  };
}

function routesOf(parts: EventParts, storage: WatchingParts['storage']): readonly Route[] {
  const { history, timeline, clients, clock } = parts;
  return [
    { ...admin, path: `${prefix}/events`, group: 'watching', answer: (call) => answerEvents(parts, call) },
    {
      ...admin,
      path: `${prefix}/history`,
      group: 'api',
      isPolled: true,
      answer: async () => ({ data: { seconds: history.seconds().map(describeSample) } }),
    },
    {
      ...admin,
      path: `${prefix}/timeline`,
      group: 'api',
      isPolled: true,
      answer: async () => ({ data: { timeline: timeline.all().map(describeEvent) } }),
    },
    {
      ...admin,
      path: `${prefix}/clients`,
      group: 'api',
      isPolled: true,
      answer: async () => ({
        data: { clients: openClientPictures(clients, clock).picture(), client_count: clients().length },
      }),
    },
    {
      ...admin,
      path: `${prefix}/largest`,
      group: 'api',
      answer: async ({ signal }) => ({
        data: describeLargest(await findLargest(storage, await storage.deployments.all(), signal)),
      }),
    },
    {
      ...admin,
      path: `${prefix}/deployments`,
      group: 'api',
      answer: async () => ({
        data: { deployments: describeConfigs(await storage.deployments.all()) },
      }),
    },
  ];
}

/** The maximum number of listed configs, because each may have megabytes. */
const mostConfigs = 50;

/** Returns the latest deployed configs, oldest first. */
function describeConfigs(records: readonly Deployment[]): readonly object[] {
  return readDeployedConfigs(records).all.slice(-mostConfigs).map(describe);
}

function describe({ number, content, at, by, record, hasServed, state }: DeployedConfig): object {
  const { deploymentName, reason, lastError } = record;
  // The record of an earlier config may have another text by now.
  const isOfRecord = state !== 'earlier' || !hasServed;
  return {
    config_number: number,
    slot_name: deploymentName,
    state,
    has_served: hasServed,
    content,
    created_ts: new Date(at).toISOString(),
    ...(by !== undefined && { deployed_by: by }),
    ...(isOfRecord && reason !== undefined && { reason }),
    ...(isOfRecord && lastError && { error: lastError.message }),
  };
}
