/**
 * Edits that take out of the service what it does from time to time, without an occasion: signs of life to clients and to the
 * source, marks in the source's log, looks at what may have changed. They wake a client whose news was lost, so a lost wake-up
 * looks like a delay; without them, that client waits forever.
 *
 * What remains: a beat by which a process notices that a connection is dead, and waits that were ordered by an event.
 */
import type { Edit } from '../support/house/edits.ts';

export const withoutKeepalives: readonly Edit[] = [
  {
    file: 'server/service/sync/keepalive.ts',
    from: 'Math.round(18_000 + 4_000 * golden)',
    to: 'Math.round(1e9 + golden)',
  },
  // The numbers of all who wait are read again.
  {
    file: 'server/service/sync/writeCheckpoints.ts',
    from: 'const readAllAfter = 30_000;',
    to: 'const readAllAfter = 1e9;',
  },
  // Marks in the log of an idle source.
  {
    file: 'server/service/assembly/prepareReplication.ts',
    from: 'return 1000 * (',
    to: 'return 1e9 * (',
  },
  // The deployments are looked at.
  {
    file: 'server/service/replication/jobs/replicator.ts',
    from: '{ first: 500, later: 5000 }',
    to: '{ first: 1e9, later: 1e9 }',
  },
  // The source answers each report with its position.
  {
    file: 'server/service/replication/postgres/log/walStream.ts',
    from: '() => report(true)',
    to: '() => {}',
  },
  // A position that the source tells by itself is a wake-up as well.
  {
    file: 'server/service/replication/postgres/log/walStream.ts',
    from: 'if (!decoder.isInTransaction())',
    to: 'if (decoder.isInTransaction() && settings.version < 0)',
  },
  // A stream that is silent is asked for a sign of life.
  {
    file: 'server/service/postgres/answers.ts',
    from: '{ ask: 5, giveUp: 15 }',
    to: '{ ask: 1e9, giveUp: 1e9 }',
  },
];

/** The source asks for no signs of life either. */
export const sourceWithoutKeepalives = { wal_sender_timeout: '0' } as const;

/** The faults without those in which a connection falls silent, because only keepalives would show that. */
export const faultsWithoutKeepalives = /^(?!.*silent)/;
