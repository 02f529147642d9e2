/**
 * Reports scripts of the project that have run in the embedded database. A migration is reported as done only when clients have
 * its result: every table that it changed has been compared and, where necessary, copied again. Until then, the log says what
 * the report is waiting for.
 */
import { situationOf } from '../../deployments/lifecycle.ts';
import { untilAborted } from '../../ground/clock.ts';
import type { Log } from '../../ground/log.ts';
import { repeat, reportFailure, startAlone } from '../../ground/unattended.ts';
import type { Clock } from '../../ground/world.ts';
import type { Storage } from '../../storage/storage.ts';
import type { ScriptRun, Source } from '../source.ts';
import { untilPublished } from './published.ts';
import type { Replicator } from './replicator.ts';

interface ReportingParts {
  readonly source: Source;
  readonly storage: Pick<Storage, 'reader' | 'deployments'>;
  readonly replicator: Pick<Replicator, 'send' | 'status'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** The interval of attempts while nothing is replicated, in milliseconds. */
const triedEvery = 100;
/** The interval of reports about a long copy, in milliseconds. */
const reportedEvery = 3_000;

/** Runs until aborted. */
export async function reportScripts(parts: ReportingParts, signal: AbortSignal): Promise<void> {
  const { own } = parts.source;
  if (own === undefined) return;
  while (!signal.aborted) {
    const runs = await own.scriptRuns(signal);
    if (runs.length === 0) continue;
    const names = namesOf(runs.flatMap(({ scripts }) => scripts));
    await untilShown(names, parts, signal);
    if (signal.aborted)
      parts.log.write('info', `${sentenceAbout(names)} The changed tables are copied later.`);
    else for (const run of runs) reportDone(run, parts.log);
  }
}

function reportDone({ scripts, skipped, lostRows }: ScriptRun, log: Log): void {
  log.write('info', `The embedded database has run ${namesOf(scripts)}.`, {
    happening: 'migration',
    ...(skipped.length > 0 && { left_out: skipped.length, kinds: rankedKinds(skipped) }),
  });
  for (const sentence of lostRows) log.write('warn', sentence);
}

async function untilShown(names: string, parts: ReportingParts, signal: AbortSignal): Promise<void> {
  const shown = new AbortController();
  const { clock } = parts;
  const what = 'Reporting the progress of scripts';
  const rhythm = { every: reportedEvery, clock, signal: AbortSignal.any([signal, shown.signal]) };
  startAlone(what, () => repeat(what, rhythm, progressReporter(names, parts)));
  while (!signal.aborted) {
    // An errand waits for the job, which ends only later when the service is stopped.
    if (await Promise.race([isShown(parts, signal), untilAborted(signal)])) break;
    await clock.sleep(triedEvery, signal);
  }
  shown.abort();
}

/** Waits until clients have the result. Returns false if it must be tried again. */
async function isShown(parts: ReportingParts, signal: AbortSignal): Promise<boolean> {
  const { storage, replicator } = parts;
  try {
    const { serving } = situationOf(await storage.deployments.all());
    if (serving === undefined) return true;
    const isAsked = await replicator.send(serving.id, async (_, compare) => {
      await compare();
      return 'has only read';
    });
    return isAsked && (await untilPublished(parts, serving.id, signal));
  } catch (error) {
    reportFailure('Waiting for the result of scripts', error);
    return false;
  }
}

/** Returns a function that reports what the scripts are waiting for, unless it has already reported the same. */
function progressReporter(names: string, { storage, replicator, log }: ReportingParts): () => Promise<void> {
  let reported = '';
  return async () => {
    const { serving } = situationOf(await storage.deployments.all());
    const job = replicator.status().find(({ deployment }) => deployment === serving?.id);
    const failure = job?.lastFailure?.message ?? serving?.lastError?.message;
    const reason = failure ?? job?.progress.waitingFor ?? 'Replication has not read the changes yet.';
    const line = `${sentenceAbout(names)} Clients do not have the result yet: ${reason}`;
    if (line !== reported) log.write(failure === undefined ? 'info' : 'warn', line);
    reported = line;
  };
}

function sentenceAbout(names: string): string {
  return `The embedded database has stored the changes of ${names}.`;
}

/** The maximum number of names in a line. */
const mostNames = 5;

function namesOf(scripts: readonly string[]): string {
  const names = scripts.slice(0, mostNames);
  const more = scripts.length > mostNames ? [`${scripts.length - mostNames} more`] : [];
  return [...names, ...more].join(', ');
}

/** Returns the kinds of statements, most frequent first: `3 create policy, 1 grant`. */
function rankedKinds(kinds: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const ranked = [...counts].toSorted(([, one], [, other]) => other - one);
  return ranked.map(([kind, count]) => `${count} ${kind}`).join(', ');
}
