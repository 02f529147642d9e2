/** The state of one deployment, as diagnostics report it: the fields of the reference service, and the progress. */
import { readDeployedConfigs } from '../deployments/deployedConfigs.ts';
import { distinctValues } from '../ground/distinctValues.ts';
import type { JobStatus } from '../replication/jobs/entry.ts';
import { lagOf } from '../replication/jobs/progress.ts';
import { type BacklogHealth, isReset, type SourceBacklog } from '../replication/source.ts';
import type { Deployment } from '../storage/deployment.ts';
import type { StorageLink } from '../storage/link.ts';
import type { RowCount } from '../storage/storage.ts';
import type { VerifiedTable } from '../verification/verifier.ts';
import { shareErrors } from './clientShares.ts';
import { copyAnswer } from './copyOrders.ts';
import { type FoundTable, findTables, unreachableTables } from './foundTables.ts';
import type { ApiParts } from './parts.ts';
import { type InTime, SourceSilence } from './patience.ts';
import { capErrors, type ReplicationError, replicationErrorsOf } from './problems.ts';
import { mostCounted, streamsOf } from './streams.ts';

export interface StatusOptions {
  readonly withContent: boolean;
  readonly withBuckets: boolean;
  /** Applies the time limit to a question to the source. */
  readonly inTime: InTime;
  readonly records: readonly Deployment[];
}

export async function statusOf(
  deployment: Deployment,
  parts: ApiParts,
  options: StatusOptions,
): Promise<Record<string, unknown>> {
  const { source, clock } = parts;
  const config = parts.configs.of(deployment);
  const { number, at: deployedAt = deployment.createdAt } =
    readDeployedConfigs(options.records).of(deployment) ?? {};
  const deployed = {
    // Not in the reference API; clients that do not know a field ignore it.
    ...(number !== undefined && { config_number: number }),
    ...(options.withContent && { content: deployment.content }),
  };
  const ofConfig = replicationErrorsOf(config);
  if (!config.valid)
    return {
      ...deployed,
      connections: [],
      errors: capErrors(distinctValues([...storedErrors(deployment), ...ofConfig])),
    };
  const now = clock.now();
  // A deployment that is copied beside another one has no backlog of its own.
  const followed = options.records.find(({ id }) => id === deployment.base) ?? deployment;
  const [tables, backlog] = await Promise.all([
    options
      .inTime(findTables(config, source))
      .catch((error: Error) => unreachableTables(config, connectionError(error, now))),
    options.inTime(source.backlog(followed.deploymentName)).catch(() => undefined),
  ]);
  const streams = options.withBuckets
    ? { streams: await streamsOf(deployment.id, config.evaluator, parts.countBuckets) }
    : {};
  const stored = options.withBuckets ? await parts.countRows(deployment.id, mostCounted) : [];
  const verified = parts.verifier.latest(deployment.id);
  const job = parts.jobs().find((each) => each.deployment === deployment.id);
  return {
    ...deployed,
    ...streams,
    connections: [
      {
        id: source.id,
        tag: source.tag,
        slot_name: deployment.deploymentName,
        ...namesBefore(deployment, options.records),
        initial_replication_done: deployment.snapshotDone,
        // Not in the reference API either.
        deployed_ts: timestamp(deployedAt),
        ...positionsOf(deployment),
        ...(backlog && backlogAnswer(backlog)),
        slot_health: source.backlogHealth(backlog, followed.snapshotDone),
        tables: tables.map(({ info }) => ({
          ...info,
          ...copiedOf(info, job),
          ...storedOf(info, stored),
          ...verifiedOf(info, verified),
        })),
        ...copyAnswer(deployment, job),
        ...(job && jobAnswer(job, now, source)),
      },
    ],
    errors: capErrors(
      distinctValues([
        ...tables.flatMap(({ info }: FoundTable) => info.errors),
        ...storedErrors(deployment, job),
        ...reasonErrors(deployment),
        ...ofConfig,
        ...backlogErrors(source.backlogHealth(backlog, followed.snapshotDone), backlog),
        ...waitingErrors(job, now),
        ...rowErrors(job),
        ...verificationErrors(verified),
        ...linkErrors(parts.link, now),
        ...(deployment.state === 'active'
          ? [
              ...silenceErrors(deployment, now),
              ...shareErrors(parts.clients(), parts.limits.buckets),
              ...parts.limitWarnings(),
            ]
          : []),
      ]),
    ),
  };
}

/** Returns a field for clients that know it: the former name of the deployment, from when it was copied beside the current one. */
function namesBefore(
  { id, createdAt, content }: Deployment,
  records: readonly Deployment[],
): Record<string, unknown> {
  const before = records.findLast(
    (record) => record.base === id && record.createdAt === createdAt && record.content === content,
  );
  return before?.state === 'terminated' ? { deployed_as: before.deploymentName } : {};
}

export function connectionError(error: Error, now: number): ReplicationError {
  const ts = timestamp(now);
  if (error instanceof SourceSilence) return { ...error.problem, ts };
  if (isReset(error)) return { level: 'warning', message: error.message, ts };
  return { level: 'fatal', message: `The source cannot be reached: ${error.message}`, ts };
}

function positionsOf(deployment: Deployment): Record<string, unknown> {
  const { lastCheckpointPosition, snapshotPosition, lastKeepaliveAt, lastCheckpointAt } = deployment;
  const position = lastCheckpointPosition ?? snapshotPosition;
  return {
    ...(position !== undefined && { last_lsn: position }),
    ...(lastKeepaliveAt !== undefined && { last_keepalive_ts: timestamp(lastKeepaliveAt) }),
    ...(lastCheckpointAt !== undefined && { last_checkpoint_ts: timestamp(lastCheckpointAt) }),
  };
}

function backlogAnswer({
  kind,
  lagBytes,
  status,
  safeBytes,
  mostBytes,
}: SourceBacklog): Record<string, unknown> {
  return {
    ...(lagBytes !== undefined && { replication_lag_bytes: lagBytes }),
    ...(status !== undefined && { wal_status: status }),
    ...(safeBytes !== undefined && { safe_wal_size: safeBytes }),
    ...(mostBytes !== undefined && { max_slot_wal_keep_size: mostBytes }),
    slot_state: kind,
  };
}

/** Returns a field for clients that know it: the current work of the job. */
function jobAnswer(
  job: JobStatus,
  now: number,
  { link }: Pick<ApiParts['source'], 'link'>,
): Record<string, unknown> {
  const { progress, running, standby, failures, nextAttemptAt, lastFailure } = job;
  const { phase, lastProgressAt, replicatedRows, oldestOpenAt } = progress;
  // If the source does not answer, its changes are unknown.
  const lag = link?.isLost() ? undefined : lagOf(job, now);
  return {
    replication: {
      phase,
      running,
      failures,
      replicated_rows: replicatedRows,
      // Another process is replicating. This job begins when that process ends.
      ...(standby && { standby }),
      ...(lastProgressAt !== undefined && { last_progress_ts: timestamp(lastProgressAt) }),
      ...(lag !== undefined && { lag_seconds: lag / 1000 }),
      ...(oldestOpenAt !== undefined && { oldest_open_ts: timestamp(oldestOpenAt) }),
      ...(lastFailure && { last_failure: lastFailure.message, last_failure_ts: timestamp(lastFailure.at) }),
      ...(nextAttemptAt !== undefined && { next_attempt_ts: timestamp(nextAttemptAt) }),
    },
  };
}

function copiedOf({ schema, name }: FoundTable['info'], job: JobStatus | undefined): Record<string, unknown> {
  const table = job?.progress.tables.find((each) => each.table === `${schema}.${name}`);
  if (table === undefined) return {};
  return {
    copied: table.copied,
    copied_rows: table.copiedRows,
    ...(table.estimatedRows !== undefined && { estimated_rows: table.estimatedRows }),
  };
}

/** Returns a field for clients that know it: the number of stored rows, which is the maximum that clients can get. */
function storedOf(
  { schema, name }: FoundTable['info'],
  stored: readonly RowCount[],
): Record<string, unknown> {
  const count = stored.find((each) => each.schema === schema && each.name === name);
  return count === undefined ? {} : { stored_rows: count.rows };
}

/** Returns a field for clients that know it: when the table was last compared with the source. */
function verifiedOf(
  { schema, name }: FoundTable['info'],
  verified: readonly VerifiedTable[],
): Record<string, unknown> {
  const table = verified.find((each) => each.table === `${schema}.${name}`);
  if (table === undefined || table.skipped !== undefined) return {};
  const { at, rows, missing, stale, extra, unjudged, repaired } = table;
  return { verified: { at: timestamp(at), rows, missing, stale, extra, unjudged, repaired } };
}

const mayDiffer = 'stored rows may differ from the source';

function verificationErrors(verified: readonly VerifiedTable[]): readonly ReplicationError[] {
  return verified.flatMap((each): ReplicationError[] => {
    const { table, missing, stale, extra, repaired, at, changes = [], isCopiedAgain } = each;
    const wrong = missing + stale + extra;
    const isRight = changes.length > 0 ? isCopiedAgain === true : wrong <= repaired;
    if (isRight) return [];
    const kinds = `${missing} missing, ${stale} stale, ${extra} extra`;
    const differ = wrong === 1 ? '1 stored row differs' : `${wrong} stored rows differ`;
    const what = wrong > 0 ? `${differ} from the source (${kinds})` : mayDiffer;
    const reason = changes.length > 0 ? `, because ${changes.join(', ')}` : '';
    const message = `${table}: ${what}${reason}. Run \`headwater verify --repair\`.`;
    return [{ level: 'warning', message, ts: timestamp(at) }];
  });
}

/**
 * Returns the last failure. A failure that could not be stored, for example because the disk is full, is only in the job's state.
 */
function storedErrors(deployment: Deployment, job?: JobStatus): readonly ReplicationError[] {
  const lastError = deployment.lastError ?? job?.lastFailure;
  return lastError ? [{ level: 'fatal', message: lastError.message, ts: timestamp(lastError.at) }] : [];
}

/** Returns the reason of the running copy: the damage that it repairs. */
function reasonErrors({ state, reason, createdAt }: Deployment): readonly ReplicationError[] {
  if (state !== 'processing' || reason === undefined) return [];
  return [{ level: 'fatal', message: reason, ts: timestamp(createdAt) }];
}

/** Returns a problem of the kept changes. Lost ones are not reported here, because they make the job fail. */
function backlogErrors(
  { level, message }: BacklogHealth,
  backlog: SourceBacklog | undefined,
): readonly ReplicationError[] {
  if (backlog?.kind !== 'ready') return [];
  return level === 'ok' ? [] : [{ level, message }];
}

function waitingErrors(job: JobStatus | undefined, now: number): readonly ReplicationError[] {
  const message = job?.progress.waitingFor;
  return message === undefined ? [] : [{ level: 'warning', message, ts: timestamp(now) }];
}

/** Returns the rows that clients do not receive correctly. */
function rowErrors(job: JobStatus | undefined): readonly ReplicationError[] {
  return (job?.progress.rowProblems ?? []).map(({ table, row, message, count, at }) => ({
    level: 'warning',
    message:
      count === 1
        ? `${table}, ${row}: ${message}`
        : `${table}, ${count} rows, the last of them with ${row}: ${message}`,
    ts: timestamp(at),
  }));
}

function linkErrors(link: StorageLink | undefined, now: number): readonly ReplicationError[] {
  if (!link?.isLost()) return [];
  const message = `This process has received nothing from its storage for ${link.silence()} s, so it may miss changes. Its clients are disconnected.`;
  return [{ level: 'fatal', code: 'SVC_S2402', message, ts: timestamp(now) }];
}

/** How long there may be no sign of the source before a warning and before an error, in seconds. */
const silence = { warning: 300, fatal: 900 };

export function silenceErrors(
  { lastCheckpointAt, lastKeepaliveAt }: Pick<Deployment, 'lastCheckpointAt' | 'lastKeepaliveAt'>,
  now: number,
): readonly ReplicationError[] {
  if (lastCheckpointAt === undefined && lastKeepaliveAt === undefined) {
    return [{ level: 'warning', message: 'There is no checkpoint yet, so the lag is unknown.' }];
  }
  const seconds = Math.floor((now - Math.max(lastCheckpointAt ?? 0, lastKeepaliveAt ?? 0)) / 1000);
  if (seconds <= silence.warning) return [];
  const level = seconds > silence.fatal ? 'fatal' : 'warning';
  return [{ level, kind: 'silence', message: `Nothing has been replicated for more than ${seconds} s.` }];
}

export function timestamp(at: number): string {
  return new Date(at).toISOString();
}
