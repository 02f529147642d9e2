/**
 * Compares stored rows with the source: from time to time while the service runs, in a small share of the time, and at the
 * request of an admin. It writes nothing itself, because repairs are a task of replication (`repairRows.ts`).
 */
import { readDeployedConfigs } from '../deployments/deployedConfigs.ts';
import type { Deployer } from '../deployments/deployer.ts';
import { situationOf } from '../deployments/lifecycle.ts';
import type { SyncConfigs } from '../deployments/syncConfigs.ts';
import { untilAborted } from '../ground/clock.ts';
import { ServiceError } from '../ground/errors.ts';
import type { Log } from '../ground/log.ts';
import { untilPublished } from '../replication/jobs/published.ts';
import { isDamage } from '../storage/damage.ts';
import type { Deployment } from '../storage/deployment.ts';
import type { DeploymentStore } from '../storage/storage.ts';
import type { TableReport } from './compareTable.ts';
import { repairRows } from './repairRows.ts';
import { type ComparedTable, type VerificationParts, verifyDeployment } from './verifyDeployment.ts';

export interface Verification {
  /** The id of this verification. */
  readonly id: number;
  readonly deploymentName: string;
  readonly isDone: boolean;
  readonly tables: readonly VerifiedTable[];
  /** The damaged parts of the storage: names of buckets, or a sentence. */
  readonly damaged: readonly string[];
  /** The new deployment that copies everything again. */
  readonly newDeploymentName?: string;
  /** The number of its config. */
  readonly newConfigNumber?: number;
  /** The reason if the verification did not complete. */
  readonly failure?: string;
}

export interface VerifiedTable extends TableReport {
  readonly at: number;
  /** The number of rows that were written again. */
  readonly repaired: number;
  /** Whether the entire table was copied again, because its definition had changed. */
  readonly isCopiedAgain?: boolean;
}

export interface Verifier {
  /** Verifies at regular intervals until aborted. */
  run(signal: AbortSignal): Promise<void>;
  /** Begins a verification, or joins a running one that does the same. */
  begin(repair: Repair): Promise<Verification>;
  /** Returns the current state of a verification, or undefined if it ended long ago. */
  find(id: number): Verification | undefined;
  /** Returns the last result of each table of a deployment since this process began. */
  latest(deployment: number): readonly VerifiedTable[];
  close(): Promise<void>;
}

type Repair = 'repair' | 'only compare';

interface VerifyingParts extends VerificationParts {
  readonly store: DeploymentStore;
  readonly configs: SyncConfigs;
  readonly deployer: Pick<Deployer, 'tell'>;
  /** The share of the time that verification in the background may take. 0 turns it off. */
  readonly share: number;
  readonly log: Log;
  readonly onVerified: (table: VerifiedTable) => void;
}

/** The delay before the first verification, in milliseconds. */
const firstAfter = 10 * 60_000;
const every = 24 * 60 * 60_000;

/**
 * The maximum number of rows of a table that are repaired without a request. If more are wrong, somebody should look at the
 * cause. If the definition of a table has changed, the cause is known, so the table is copied again, whatever its size.
 */
const mostUnasked = 1_000;
const allRows = Number.POSITIVE_INFINITY;

interface CurrentRun {
  verification: Verification;
  readonly how: Manner;
  readonly ended: Promise<void>;
}

interface Manner {
  readonly repair: Repair;
  /** The share of the time that the work may take. */
  readonly share: number;
  /** The maximum number of rows of a table that are repaired. */
  readonly most: number;
}

export function openVerifier(parts: VerifyingParts): Verifier {
  const { store, clock, log, share } = parts;
  const closing = new AbortController();
  const latest = new Map<number, Map<string, VerifiedTable>>();
  const all: CurrentRun[] = [];
  let scheduled: Promise<void> = Promise.resolve();
  let lastId = 0;

  const start = (deployment: Deployment, how: Manner): CurrentRun => {
    lastId += 1;
    const { deploymentName } = deployment;
    const { signal } = closing;
    const running: { -readonly [part in keyof CurrentRun]: CurrentRun[part] } = {
      verification: { id: lastId, deploymentName, isDone: false, tables: [], damaged: [] },
      how,
      ended: Promise.resolve(),
    };
    const note = (changes: Partial<Verification>) => {
      running.verification = { ...running.verification, ...changes };
    };
    const onTable = (table: VerifiedTable) => {
      const others = running.verification.tables.filter((each) => each.table !== table.table);
      note({ tables: [...others, table] });
      const known = latest.get(deployment.id) ?? new Map<string, VerifiedTable>();
      latest.set(deployment.id, known.set(table.table, table));
    };
    const work = verify(parts, { ...how, deployment, signal, note, onTable });
    // A source that does not answer must not prevent the service from ending.
    running.ended = Promise.race([work, untilAborted(signal)])
      .catch((error: unknown) => {
        const failure = error instanceof Error ? error.message : String(error);
        note({ failure });
        log.write('warn', 'Could not compare the stored data with the source', {
          slot: deploymentName,
          reason: failure,
        });
      })
      .then(() => note({ isDone: true }));
    all.push(running);
    if (all.length > mostRemembered) all.shift();
    return running;
  };

  return {
    run: async (until) => {
      until.addEventListener('abort', () => closing.abort(), { once: true });
      if (share === 0) return;
      for (let pause = firstAfter; ; pause = every) {
        await clock.sleep(pause, closing.signal);
        if (closing.signal.aborted) return;
        const { serving } = situationOf(await store.all().catch(() => []));
        if (serving?.state !== 'active') continue;
        scheduled = start(serving, { repair: 'repair', share, most: mostUnasked }).ended;
        await scheduled;
      }
    },
    begin: async (repair) => {
      const { serving } = situationOf(await store.all());
      if (serving?.state !== 'active') throw new ServiceError('SVC_S4104');
      const { deploymentName } = serving;
      const joined = all.find(
        ({ verification: { isDone, deploymentName: name }, how }) =>
          !isDone && name === deploymentName && how.repair === repair && how.most === allRows,
      );
      const running = joined ?? start(serving, { repair, share: 1, most: allRows });
      return running.verification;
    },
    find: (id) => all.find(({ verification }) => verification.id === id)?.verification,
    latest: (deployment) => [...(latest.get(deployment)?.values() ?? [])],
    close: async () => {
      closing.abort();
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}

const mostRemembered = 10;

interface Order extends Manner {
  readonly deployment: Deployment;
  readonly signal: AbortSignal;
  readonly note: (changes: Partial<Verification>) => void;
  readonly onTable: (table: VerifiedTable) => void;
}

async function verify(parts: VerifyingParts, order: Order): Promise<void> {
  const { configs, clock, log, onVerified } = parts;
  const { deployment, share, signal, note, onTable } = order;
  const found: ComparedTable[] = [];
  const say = ({ report }: ComparedTable, repaired: number): VerifiedTable => ({
    ...report,
    at: clock.now(),
    repaired,
  });
  let damaged: readonly string[];
  try {
    damaged = await verifyDeployment(parts, {
      deployment,
      config: configs.of(deployment),
      share,
      signal,
      onTable: (compared) => {
        const { report, wrong } = compared;
        if (wrong.size > 0 || report.changes !== undefined) found.push(compared);
        const table = say(compared, 0);
        onTable(table);
        onVerified(table);
        const { table: name, missing, stale, extra, unjudged, changes } = report;
        if (changes !== undefined)
          log.write('error', `Stored rows may differ from the source, because ${changes.join(', ')}`, {
            slot: deployment.deploymentName,
            table: name,
          });
        if (wrong.size > 0)
          log.write('error', 'Stored rows differ from the source', {
            slot: deployment.deploymentName,
            table: name,
            missing,
            stale,
            extra,
            unjudged,
          });
      },
    });
  } catch (error) {
    if (!isDamage(error)) throw error;
    damaged = [error.message];
  }
  if (signal.aborted) return;
  // The deployment's data may have been deleted during the comparison.
  const { serving } = situationOf(await parts.store.all());
  if (serving?.id !== deployment.id) throw new Error('Another deployment has replaced it in the meantime.');
  const isLost = damaged.length > 0 || found.some(({ hasLost }) => hasLost);
  note({ damaged });
  if (order.repair === 'only compare' || (found.length === 0 && !isLost)) return;
  if (isLost) {
    await copyAnew(parts, order, damageIn(damaged));
    return;
  }
  const isRemade = ({ report }: ComparedTable): boolean => report.changes !== undefined;
  const remade = found.filter(isRemade);
  if (remade.length > 0 && (await copyTables(parts, order)))
    for (const compared of remade)
      onTable({ ...say(compared, compared.wrong.size + compared.report.more), isCopiedAgain: true });
  for (const compared of found) {
    const { info, wrong } = compared;
    if (isRemade(compared)) continue;
    if (info === undefined || wrong.size > order.most) continue;
    let repaired = 0;
    const isSent = await parts.send(
      deployment.id,
      repairRows(info, wrong, (rows) => {
        repaired = rows;
      }),
    );
    if (!isSent) {
      // Another process replicates, so this process cannot repair rows.
      await copyAnew(parts, order, 'Stored rows differ from the source.');
      return;
    }
    onTable(say(compared, repaired));
    log.write('info', 'Repaired rows', {
      slot: deployment.deploymentName,
      table: compared.report.table,
      rows: repaired,
    });
  }
  await untilPublished(parts, deployment.id, signal);
}

/**
 * Copies all tables again whose definitions have changed. Returns false if that was not completed: the job has ended, or another
 * process replicates, and each of them compares the definitions itself.
 */
async function copyTables(parts: VerifyingParts, { deployment: { id }, signal }: Order): Promise<boolean> {
  let isFollowing = await parts.send(id, async (_, compare) => {
    await compare();
    return 'has only read';
  });
  while (isFollowing && !signal.aborted) {
    if (await untilPublished(parts, id, signal)) return true;
    // A long copy has not ended yet. This errand waits for it.
    isFollowing = await parts.send(id, async () => 'has only read');
  }
  return false;
}

/** @param reason a sentence */
async function copyAnew(
  { deployer, clock, log }: VerifyingParts,
  { deployment, note }: Order,
  reason: string,
): Promise<void> {
  const message = `${reason} Everything is copied again.`;
  log.write('error', message, { slot: deployment.deploymentName });
  const error = { message, at: clock.now() };
  const records = await deployer.tell({ kind: 'damaged', id: deployment.id, error });
  const { pending } = situationOf(records);
  if (pending === undefined) return;
  const number = readDeployedConfigs(records).of(pending)?.number;
  note({
    newDeploymentName: pending.deploymentName,
    ...(number !== undefined && { newConfigNumber: number }),
  });
}

function damageIn(damaged: readonly string[]): string {
  const what = damaged.length === 0 ? 'histories of buckets' : damaged.slice(0, 3).join(', ');
  return `[SVC_S2403] The storage is corrupt: ${what} differ from what was written.`;
}
