/**
 * One attempt to replicate one deployment, from its backlog to the end of its stream.
 *
 *     preparing ─the backlog exists─► copying ──all tables are copied──► streaming
 *         └──────────────────────already copied─────────────────────────┘
 *
 * It ends when it is aborted or fails. The next attempt continues from the stored position.
 */

import { belongsTo } from '../../../engine/plan/evaluate/names.ts';
import type { Storing } from '../../deployments/syncConfigs.ts';
import type { Log } from '../../ground/log.ts';
import { firstPosition } from '../../ground/logPosition.ts';
import { startAlone } from '../../ground/unattended.ts';
import type { Clock } from '../../ground/world.ts';
import { isDamage } from '../../storage/damage.ts';
import type { Decide, Deployment } from '../../storage/deployment.ts';
import type { ReplicationWriter, Storage } from '../../storage/storage.ts';
import { StorageFailure } from '../../storage/storageFailure.ts';
import { canRestart, lossOf } from '../historyBreak.ts';
import { openRowReports } from '../rows/rowReports.ts';
import { writerWithoutRest } from '../rows/storedParts.ts';
import { type FailureKind, type Source, SourceFailure } from '../source.ts';
import { Continuity } from './continuity.ts';
import { followChanges } from './follow.ts';
import { checkHistory, provenanceOf } from './history.ts';
import type { CopyPace } from './pace.ts';
import type { JobPhase, JobProgress } from './progress.ts';
import type { BesideWork, Clearing, Errand, Replication } from './replication.ts';
import { copyAll } from './snapshot.ts';

/** The stored parts of a deployment, and the work on them. */
export interface Task {
  /** The stored parts. */
  readonly storing: Storing;
  /** The parts to add. */
  readonly beside?: BesideWork;
  readonly takeOver?: Decide;
  readonly clearing?: Clearing;
}

interface Job extends Task {
  /** The deployment at the beginning of the job. */
  readonly deployment: Deployment;
  /** The pace of the deployment's own copy. */
  readonly pace: CopyPace;
  /** Whether the records still request this job. */
  readonly isCurrent: (records: readonly Deployment[]) => boolean;
  readonly source: Source;
  readonly storage: Storage;
  readonly activate: Decide;
  readonly activateAnyway: Decide;
  readonly progress: JobProgress;
  readonly clock: Clock;
  readonly log: Log;
  /** Called for every sign of life. */
  readonly touch: () => void;
  /** The interval of marks in the source's log, in milliseconds; absent: no marks. */
  readonly heartbeat?: number;
  /** The maximum number of changes that are stored together; default: 500. */
  readonly rowsAtOnce?: number;
  /** Called when it is certain that no other process replicates the deployment. */
  readonly onBegun: () => void;
  /** Called when a checkpoint has changed the deployments. Returns the next task, if it is a different one. */
  readonly onActivated: (records: readonly Deployment[]) => Task | undefined;
  readonly nextErrand: () => Errand | undefined;
}

export type JobEnd =
  | { readonly kind: 'stopped' }
  /** Another process is replicating the deployment. */
  | { readonly kind: 'occupied' }
  | { readonly kind: 'failed'; readonly failure: FailureKind; readonly message: string }
  | { readonly kind: 'backlog lost'; readonly message: string; readonly restart: boolean }
  /** The storage is older than the data of clients. */
  | { readonly kind: 'storage outdated'; readonly message: string }
  | { readonly kind: 'damaged'; readonly message: string };

export async function runJob(job: Job, stop: AbortSignal): Promise<JobEnd> {
  const { storage, deployment } = job;
  const writer = await storage.writer(deployment.id).catch(toFailure);
  if (writer === undefined) return { kind: 'occupied' };
  if ('kind' in writer) return writer;
  try {
    // Another process may have continued the deployment before it released the right to write.
    const records = await storage.deployments.all();
    const present = records.find(({ id }) => id === deployment.id);
    // If the deployment has changed, the replicator determines the task again.
    if (present?.state !== deployment.state || !job.isCurrent(records)) return { kind: 'stopped' };
    return await replicate({ ...job, deployment: present }, writer, stop);
  } catch (error) {
    return toFailure(error);
  } finally {
    await writer.release().catch(() => {});
  }
}

async function replicate(job: Job, writer: ReplicationWriter, stop: AbortSignal): Promise<JobEnd> {
  job.onBegun();
  const signal = writer.lost === undefined ? stop : AbortSignal.any([stop, writer.lost]);
  const inTask = replicationOf(job, writer, signal);
  const replication = inTask(job);
  let phase: JobPhase | 'ended' = 'preparing';
  try {
    while (phase !== 'ended' && !signal.aborted) {
      job.progress.enter(phase);
      phase = await steps[phase](replication, job, inTask);
    }
    return { kind: stop.aborted ? 'stopped' : 'occupied' };
  } catch (error) {
    if (stop.aborted) return { kind: 'stopped' };
    // If another process has taken over, the end is not a failure of the deployment, even if it looks like one here.
    if (await isLost(writer)) return { kind: 'occupied' };
    if (isDamage(error)) return { kind: 'damaged', message: error.message };
    const failure = toFailure(error);
    if (failure.failure === 'storage-outdated') return { kind: 'storage outdated', message: failure.message };
    if (failure.failure === 'other-history')
      return { kind: 'backlog lost', message: failure.message, restart: true };
    if (failure.failure !== 'backlog-lost' && failure.failure !== 'backlog-missing') return failure;
    const wasCopied = job.deployment.snapshotDone || job.progress.snapshot().lastCommit !== undefined;
    const restart = await canRestart(job.source, job.deployment.deploymentName, wasCopied);
    return { kind: 'backlog lost', message: failure.message, restart };
  } finally {
    await replication.stream.close().catch(() => {});
  }
}

async function isLost(writer: ReplicationWriter): Promise<boolean> {
  try {
    await writer.demand();
    return false;
  } catch (error) {
    return error instanceof StorageFailure && error.kind === 'lost';
  }
}

type Step = (replication: Replication, job: Job, inTask: InTask) => Promise<JobPhase | 'ended'>;

type InTask = (task: Task) => Replication;

const steps: Readonly<Record<JobPhase, Step>> = {
  preparing: prepare,
  copying: async (replication) => ((await copyAll(replication)) ? 'streaming' : 'ended'),
  streaming: async (replication, { onActivated, heartbeat }, inTask) => {
    const beating = new AbortController();
    startAlone("Marking the source's log", () => beat(replication, heartbeat, beating.signal));
    try {
      await followChanges(replication, (records) => {
        const task = onActivated(records);
        return task && inTask(task);
      });
    } finally {
      beating.abort();
    }
    if (!replication.signal.aborted)
      throw new SourceFailure('closed', 'SVC_S1121', 'The source database has ended the connection.');
    return 'ended';
  },
};

/** Prepares the backlog. It must exist before the first row is read, because it retains the changes during the copy. */
async function prepare(
  { source, deploymentName, stream, writer, reports, signal }: Replication,
  job: Job,
): Promise<JobPhase> {
  const { snapshotDone, lastCheckpoint } = job.deployment;
  // A stopped process keeps its backlog busy until the source gives up waiting for it.
  if (writer.hasTakenOver) await source.endReaders(deploymentName);
  await checkHistory(source, job.storage.deployments, job.deployment);
  const state = await source.backlog(deploymentName);
  if (state.kind === 'lost') throw source.explain(lossOf(deploymentName, state));
  const tables = await writer.tables();
  const isBegun = snapshotDone || tables.length > 0;
  reports.load(tables);
  if (state.kind === 'absent' || !isBegun) {
    if (snapshotDone && lastCheckpoint !== undefined)
      throw source.explain({ kind: 'backlog-missing', name: deploymentName });
    await source.dropBacklog(deploymentName);
    await writer.reset();
    // If an unknown backlog exists, a later state of this storage has created it.
    await writer.beginLog(firstPosition);
    await stream.prepare(signal);
    const { confirmed } = await source.backlog(deploymentName);
    if (confirmed !== undefined) await writer.beginLog(confirmed);
    await writer.belongTo(provenanceOf(await source.history()));
    return 'copying';
  }
  if ((await stream.prepare(signal)) === 'created') {
    // The backlog disappeared in between. A new one must not look as if it had retained the changes since then.
    await source.dropBacklog(deploymentName);
    throw source.explain({ kind: 'backlog-missing', name: deploymentName });
  }
  return snapshotDone ? 'streaming' : 'copying';
}

/**
 * Marks the source's log. The marks show that an idle source is not stuck, and let it drop log that other databases on its server
 * have written. The mark of each connection makes the source drop more than the storage had recorded before, so that an older
 * storage is always recognised. A read-only source, such as a replica, is also accepted.
 *
 * @param every the interval in milliseconds; absent: only one mark
 */
async function beat(
  { source, clock, log }: Replication,
  every: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  let hasFailed = false;
  while (!signal.aborted) {
    await source.mark().catch((error: Error) => {
      if (!hasFailed) log.write('warn', `Could not write a mark to the source's log: ${error.message}`);
      hasFailed = true;
    });
    if (every === undefined) return;
    await clock.sleep(every, signal);
  }
}

/** The maximum number of changes that are stored together. It is low, so that they become garbage soon. */
const mostRowsAtOnce = 250;

/**
 * Returns the replication. Successive tasks of a job use the same stream. The stream is opened for the first task, because later
 * ones need no more tables.
 */
function replicationOf(job: Job, writer: ReplicationWriter, signal: AbortSignal): InTask {
  const { deployment, source, activate, activateAnyway, progress, clock, log, nextErrand } = job;
  const { pace } = job;
  const deploymentName = deployment.deploymentName;
  const { evaluator, options } = storedIn(job);
  const onWaiting = (reason: string | undefined) => {
    progress.waiting(reason);
    if (reason !== undefined) log.write('warn', reason, { slot: deploymentName });
  };
  const continuity = new Continuity(deployment, { source, store: job.storage.deployments, writer });
  const stream = source.stream({
    deploymentName,
    patterns: evaluator.tables,
    options,
    onWaiting,
    onConnection: (history) => continuity.connect(history),
    onProgress: job.touch,
  });
  const reports = openRowReports(log, clock);
  progress.watchRows(reports.counted);
  const { rowsAtOnce = mostRowsAtOnce } = job;
  const shared = {
    deploymentName,
    continuity,
    source,
    stream,
    pace,
    rowsAtOnce,
    progress,
    reports,
    clock,
    log,
    signal,
    nextErrand,
  };
  return (task) => {
    const { storing, beside, takeOver, clearing } = task;
    return {
      ...shared,
      writer: writerWithoutRest(writer, belongsTo(storedIn(task).parts)),
      evaluator: storedIn(task).evaluator,
      served: storing.evaluator.tables,
      decisions: { activate, activateAnyway, ...(takeOver && { takeOver }) },
      ...(beside && { beside }),
      ...(clearing && { clearing }),
    };
  };
}

/** Returns the stored parts and the added ones. */
function storedIn({ storing, beside }: Task): Storing {
  return beside?.storing ?? storing;
}

export function toFailure(error: unknown): JobEnd & { readonly kind: 'failed' } {
  const failure = error instanceof SourceFailure ? error.kind : 'other';
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'failed', failure, message };
}
