/** The files outside the sources that still use words of PostgreSQL. The numbers may only fall: see `sourceWords.ts`. */
import type { WordCount } from './sourceWords.ts';

interface KnownWords {
  readonly reason: string;
  readonly files: Readonly<Record<string, WordCount>>;
}

export const knownSourceWords: readonly KnownWords[] = [
  {
    reason: 'Stored formats, which do not change: names of columns, and texts of statements.',
    files: {
      'server/service/storage/compactor.ts': { names: 1, comments: 0, texts: 0 },
      'server/service/storage/deploymentRows.ts': { names: 0, comments: 0, texts: 10 },
      'server/service/storage/embedded/clearing/clear.ts': { names: 2, comments: 0, texts: 1 },
      'server/service/storage/embedded/database.ts': { names: 0, comments: 0, texts: 1 },
      'server/service/storage/embedded/deployments.ts': { names: 2, comments: 0, texts: 4 },
      'server/service/storage/embedded/file.ts': { names: 0, comments: 0, texts: 5 },
      'server/service/storage/embedded/reader.ts': { names: 0, comments: 0, texts: 1 },
      'server/service/storage/embedded/recovery.ts': { names: 5, comments: 2, texts: 2 },
      'server/service/storage/embedded/replicationState.ts': { names: 3, comments: 0, texts: 17 },
      'server/service/storage/embedded/schema.ts': { names: 0, comments: 0, texts: 9 },
      'server/service/storage/embedded/sourceTables.ts': { names: 0, comments: 0, texts: 2 },
      'server/service/storage/embedded/writeCheckpoints.ts': { names: 17, comments: 0, texts: 6 },
      'server/service/storage/embedded/writer.ts': { names: 2, comments: 0, texts: 0 },
      'server/service/storage/operation.ts': { names: 0, comments: 1, texts: 0 },
      'server/service/storage/tableRows.ts': { names: 1, comments: 1, texts: 0 },
    },
  },
  {
    reason: 'The reference API: names of parameters and fields.',
    files: {
      'server/service/api/adminRoutes.ts': { names: 3, comments: 0, texts: 0 },
      'server/service/api/copyOrders.ts': { names: 8, comments: 0, texts: 2 },
      'server/service/api/status.ts': { names: 8, comments: 0, texts: 0 },
      'server/service/api/syncConfigRoutes.ts': { names: 1, comments: 0, texts: 0 },
      'server/service/api/verify.ts': { names: 2, comments: 0, texts: 0 },
      'server/service/replication/describeSource.ts': { names: 1, comments: 0, texts: 0 },
      'server/service/watching/eventLog.ts': { names: 1, comments: 0, texts: 0 },
      'server/service/watching/watching.ts': { names: 1, comments: 0, texts: 0 },
    },
  },
  {
    reason:
      'Published texts and codes: titles of errors, ids of checks, the help of a command, types of sources, reasons of skipped statements.',
    files: {
      'server/service/commands/teardown.ts': { names: 0, comments: 1, texts: 1 },
      'server/service/ground/errors.ts': { names: 0, comments: 0, texts: 8 },
      'server/service/replication/preflight.ts': { names: 0, comments: 0, texts: 3 },
      'server/service/replication/source.ts': { names: 0, comments: 2, texts: 2 },
    },
  },
  {
    reason: 'The field `slot` of log lines.',
    files: {
      'server/service/assembly/compareHistories.ts': { names: 2, comments: 1, texts: 0 },
      'server/service/replication/jobs/attempt.ts': { names: 3, comments: 0, texts: 0 },
      'server/service/replication/jobs/beside.ts': { names: 1, comments: 0, texts: 0 },
      'server/service/replication/jobs/job.ts': { names: 1, comments: 0, texts: 0 },
      'server/service/replication/jobs/stream/checkpoint.ts': { names: 1, comments: 0, texts: 0 },
      'server/service/verification/verifier.ts': { names: 5, comments: 0, texts: 0 },
    },
  },
  {
    reason: 'Opens the parts that the service config names.',
    files: {
      'server/service/assembly/crew.ts': { names: 0, comments: 1, texts: 0 },
      'server/service/assembly/foundation.ts': { names: 1, comments: 0, texts: 1 },
      'server/service/assembly/openParts.ts': { names: 6, comments: 0, texts: 1 },
      'server/service/assembly/prepareReplication.ts': { names: 0, comments: 0, texts: 1 },
      'server/service/assembly/service.ts': { names: 0, comments: 1, texts: 0 },
      'server/service/assembly/worker.ts': { names: 3, comments: 0, texts: 0 },
    },
  },
];
