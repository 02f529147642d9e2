/**
 * Edits that remove the periodic actions of the service: signs of life to clients and to the source, marks in the source's log, and
 * checks for changes. These actions wake a client that missed a notification, so a lost wake-up looks like a delay; without them,
 * that client waits forever.
 *
 * Two things remain: the heartbeat by which a process notices that a connection is dead, and waits that an event has started.
 */
import type { Edit } from '../support/house/edits.ts';

export const withoutKeepalives: readonly Edit[] = [
  {
    file: 'server/service/sync/keepalive.ts',
    from: 'Math.round(18_000 + 4_000 * golden)',
    to: 'Math.round(1e9 + golden)',
  },
  // Reads the write checkpoints of all waiting clients again.
  {
    file: 'server/service/sync/writeCheckpoints.ts',
    from: 'const readAllAfter = 30_000;',
    to: 'const readAllAfter = 1e9;',
  },
  // Writes marks to the log of an idle source.
  {
    file: 'server/service/assembly/prepareReplication.ts',
    from: 'return 1000 * (',
    to: 'return 1e9 * (',
  },
  // Checks the deployments for changes.
  {
    file: 'server/service/replication/jobs/replicator.ts',
    from: '{ first: 500, later: 5000 }',
    to: '{ first: 1e9, later: 1e9 }',
  },
  // Asks the source to answer each report with its position.
  {
    file: 'server/service/replication/postgres/log/reports.ts',
    from: '() => this.report(true)',
    to: '() => {}',
  },
  // A position that the source sends on its own is also a wake-up.
  {
    file: 'server/service/replication/postgres/log/arrivals.ts',
    from: 'if (!this.#decoder.isInTransaction)',
    to: 'if (this.#decoder.isInTransaction && this.#settings.version < 0)',
  },
  // Asks a silent stream for a sign of life.
  {
    file: 'server/service/postgres/answers.ts',
    from: '{ ask: 5, giveUp: 15 }',
    to: '{ ask: 1e9, giveUp: 1e9 }',
  },
];

/** Settings with which the source does not ask for signs of life. */
export const sourceWithoutKeepalives = { wal_sender_timeout: '0' } as const;

/** All faults except silent connections, because only keepalives would reveal those. */
export const faultsWithoutKeepalives = /^(?!.*silent)/;
