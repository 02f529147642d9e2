/** The stream of one deployment: first a copy, then changes, both bound to its slot. */
import type { PostgresConnection } from '../../config/settings.ts';
import { type LogPosition, laterOf } from '../../ground/logPosition.ts';
import { startAlone } from '../../ground/unattended.ts';
import type { World } from '../../ground/world.ts';
import type { ChangeChunk, SourceStream, StreamSettings } from '../source.ts';
import { type CopySource, copyTable } from './copy/copy.ts';
import { refetchRows } from './copy/refetch.ts';
import { lostSlot } from './explainBreak.ts';
import { checkSetup } from './health.ts';
import { openVisibility } from './log/visibility.ts';
import { openWaitReporter } from './log/waiting.ts';
import { openWalStream, type WalStream } from './log/walStream.ts';
import type { Queries } from './queries.ts';
import { createSlot, freeSlot, readSlotState } from './slots.ts';
import { toSourceFailure } from './sourceFailures.ts';
import { openTypeCatalog } from './types.ts';

/** The parts that all streams of a source share. */
interface SourceParts {
  readonly queries: Queries;
  /** The server's processes of streams that have ended in this process, by slot. */
  readonly processes: Map<string, number>;
}

export function openStream(
  connection: PostgresConnection,
  { queries, processes }: SourceParts,
  settings: StreamSettings,
  { clock }: World,
): SourceStream {
  const { deploymentName: slot, options, patterns, onConnection, onProgress, onWaiting } = settings;
  const types = openTypeCatalog(queries);
  const waiting = openWaitReporter(clock, onWaiting);
  const visibility = openVisibility(queries, clock, waiting);
  const source: CopySource = { connection, queries, types, options };
  let acknowledged: LogPosition | undefined;
  let wal: WalStream | undefined;

  const prepare = async (signal: AbortSignal): Promise<'kept' | 'created'> => {
    await checkSetup(queries);
    const state = await readSlotState(queries, slot);
    if (state.kind === 'ready') return 'kept';
    if (state.kind === 'lost') throw lostSlot(slot, state.reason);
    await createSlot({ connection, queries, slot, visibility, waiting }, signal);
    return 'created';
  };

  async function* changes(signal: AbortSignal): AsyncGenerator<ChangeChunk, void> {
    const { timeout } = await queries.one<{ readonly timeout: number }>(
      `SELECT setting::int AS timeout FROM pg_settings WHERE name = 'wal_sender_timeout'`,
    );
    // The server may not know that the connection has ended, if the connection fell silent.
    const former = processes.get(slot);
    if (former !== undefined) await freeSlot(queries, slot, former);
    const opened = await openWalStream({
      connection,
      slot,
      types,
      visibility,
      patterns,
      options,
      clock,
      onConnection,
      onProgress,
      tag: connection.tag,
      version: await queries.version(),
      senderTimeoutMs: timeout,
      acknowledged: () => acknowledged,
    }).catch((error: unknown) => {
      throw toSourceFailure(error, connection, 'replication');
    });
    wal = opened;
    const stop = () => startAlone('Closing the log', opened.close);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    try {
      for (;;) {
        const events = await opened.take();
        if (events === undefined || signal.aborted) return;
        yield { events };
      }
    } finally {
      signal.removeEventListener('abort', stop);
      wal = undefined;
      processes.set(slot, opened.process);
      await opened.close();
    }
  }

  return {
    prepare,
    settle: visibility.settle,
    copy: (table, progress, signal) => copyTable(source, table, progress, onProgress, signal),
    changes,
    endsAgain: () => wal?.endsAgain() ?? false,
    acknowledge: (lsn) => {
      const next = laterOf(lsn, acknowledged);
      if (next === acknowledged) return;
      acknowledged = next;
      wal?.report();
    },
    refetch: async (table, keys, signal) => {
      await visibility.settle(signal);
      return refetchRows(source, table, keys, signal);
    },
    close: async () => {
      await wal?.close();
    },
  };
}
