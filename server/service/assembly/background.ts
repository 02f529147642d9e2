/** Runs what a service does until it stops: replication, watching, and the scheduled work on its data. */
import { repeat, runUntilStopped } from '../ground/unattended.ts';
import type { Clock } from '../ground/world.ts';
import type { Probes } from '../http/probes.ts';
import type { Replicator } from '../replication/jobs/replicator.ts';
import { reportScripts } from '../replication/jobs/scriptReports.ts';
import type { Watching } from '../watching/watching.ts';
import type { OpenParts } from './closeInOrder.ts';
import type { Foundation } from './foundation.ts';
import type { Upkeep } from './upkeep.ts';

interface BackgroundParts {
  readonly foundation: Foundation;
  readonly upkeep: Upkeep;
  /** Absent if another process replicates. */
  readonly replicator: Replicator | undefined;
  readonly watching: Watching;
}

/**
 * The time limit for stopping, in milliseconds. A stop that takes longer is waiting for a silent source, whose connections are
 * then closed.
 */
const stopsWithin = 3_000;

export function runInBackground(
  { foundation, upkeep, replicator, watching }: BackgroundParts,
  opened: OpenParts,
): void {
  const { source, storage, probes, world } = foundation;
  const { clock, log } = world;
  const work = replicator?.run ?? ((signal: AbortSignal) => keepTouching(probes, clock, signal));
  const stopWork = runUntilStopped('Replication', work, clock);
  opened.add('replication', async () => {
    const stopped = stopWork();
    const patience = new AbortController();
    const over = () => patience.abort();
    stopped.then(over, over);
    await clock.sleep(stopsWithin, patience.signal);
    if (!patience.signal.aborted) await source.close();
    await stopped;
  });
  if (replicator !== undefined) {
    const reporting = { source, storage, replicator, clock, log };
    const report = (signal: AbortSignal) => reportScripts(reporting, signal);
    opened.add('reports of scripts', runUntilStopped('Reporting scripts', report, clock));
  }
  opened.add('watching', runUntilStopped('Watching the service', watching.run, clock));
  if (replicator === undefined) return;
  const scheduled = {
    compaction: upkeep.compactor.run,
    verification: upkeep.verifier.run,
    'counting for clients': upkeep.limitWatch.run,
  };
  for (const [name, run] of Object.entries(scheduled))
    opened.add(`scheduled ${name}`, runUntilStopped(`Scheduled ${name}`, run, clock));
}

/** Makes the service ready while its storage and its source respond. */
export function watchReadiness({ storage, source, probes }: Foundation, opened: OpenParts): void {
  const links = [storage.link, source.link].flatMap((link) => link ?? []);
  const judge = (): void =>
    links.some((link) => link.isLost()) ? probes.becomeUnready() : probes.becomeReady();
  const unwatch = links.map((link) => link.watch(judge));
  judge();
  // The database is abandoned before the parts that may be waiting for it are closed.
  opened.add('a database that is not complete yet', async () => source.own?.abandon());
  opened.add('readiness', async () => {
    for (const forget of unwatch) forget();
    probes.becomeUnready();
  });
}

/**
 * The interval of liveness files, in milliseconds. A process without replication has no loop that could hang, but probes expect
 * the files to change.
 */
const touchedEvery = 5000;

async function keepTouching(probes: Probes, clock: Clock, signal: AbortSignal): Promise<void> {
  probes.touch();
  await repeat('Showing that the process runs', { every: touchedEvery, clock, signal }, probes.touch);
}
