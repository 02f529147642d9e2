/**
 * Compacts the histories of buckets, which grow with every change. It runs from time to time while the service runs, slowly
 * enough to go unnoticed, and whenever an admin asks for it.
 */

import { restBetween } from '../ground/clock.ts';
import type { Log } from '../ground/log.ts';
import type { Clock } from '../ground/world.ts';
import { isServing } from './deployment.ts';
import type { CompactionOptions, CompactionReport, Storage } from './storage.ts';

export interface NamedReport extends CompactionReport {
  readonly deploymentName: string;
}

export interface Compactor {
  /** Compacts at regular intervals until aborted. */
  run(signal: AbortSignal): Promise<void>;
  /** Begins immediately. Callers during a run get the same result. */
  now(): Promise<readonly NamedReport[]>;
  /** Ends the current run. The completed steps remain. */
  close(): Promise<void>;
}

interface CompactingParts {
  readonly storage: Pick<Storage, 'deployments' | 'compact'>;
  readonly requestRetentionMinutes: number;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The delay before the first run, in milliseconds. A service that has just started has more urgent work. It must not be much
 * longer, because a service on a laptop rarely runs for days.
 */
const firstAfter = 5 * 60_000;
const every = 24 * 60 * 60_000;

export function openCompactor(parts: CompactingParts): Compactor {
  const { clock, log } = parts;
  const closing = new AbortController();
  let asked: Promise<readonly NamedReport[]> | undefined;
  let scheduled: Promise<void> = Promise.resolve();
  const { signal } = closing;

  const compactGently = () =>
    compactServing(parts, { lookups: true, signal, rest: restBetween(clock, signal) });
  const compactInBackground = async () => {
    try {
      for (const { deploymentName, ...report } of await compactGently())
        log.write('info', 'Compacted the histories of buckets', { slot: deploymentName, ...report });
    } catch (error) {
      log.write('warn', 'Could not compact the histories of buckets', { reason: String(error) });
    }
  };

  return {
    run: async (until) => {
      until.addEventListener('abort', () => closing.abort(), { once: true });
      for (let pause = firstAfter; ; pause = every) {
        await clock.sleep(pause, signal);
        if (signal.aborted) return;
        scheduled = compactInBackground();
        await scheduled;
      }
    },
    now: () => {
      asked ??= compactGently().finally(() => {
        asked = undefined;
      });
      return asked;
    },
    close: async () => {
      closing.abort();
      await Promise.all([scheduled, asked?.catch(() => undefined)]);
    },
  };
}

/** Compacts the serving deployments, including failed ones. A deployment that is still copying has no history yet. */
export async function compactServing(
  { storage, requestRetentionMinutes, clock }: Omit<CompactingParts, 'log'>,
  options: Pick<CompactionOptions, 'buckets' | 'lookups' | 'signal' | 'rest'>,
): Promise<readonly NamedReport[]> {
  const reports: NamedReport[] = [];
  for (const { id, state, deploymentName } of await storage.deployments.all()) {
    if (!isServing(state)) continue;
    const requestRetention = requestRetentionMinutes * 60_000;
    const report = await storage.compact(id, { ...options, now: clock.now(), requestRetention });
    reports.push({ deploymentName, ...report });
  }
  return reports;
}
