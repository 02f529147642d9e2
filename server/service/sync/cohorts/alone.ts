/**
 * Runs one client separately: from its first checkpoint, or from its state when it left a cohort, until it has a complete
 * checkpoint and there is no news for it. The memory for this is freed while the client waits, because most clients only wait.
 */
import type { SyncRequest } from '../../../engine/plan/evaluate/requests.ts';
import { ServiceError } from '../../ground/errors.ts';
import { largeSteps } from '../../ground/largeSteps.ts';
import type { Metrics } from '../../ground/metrics.ts';
import type { World } from '../../ground/world.ts';
import { blockOf, type Sink } from '../../http/block.ts';
import type { BucketReader, OpId } from '../../storage/storage.ts';
import type { BucketGrant, ServedConfig } from '../buckets.ts';
import type { Checksums } from '../checksums.ts';
import type { ChunkSource } from '../chunks.ts';
import { type ConnectedClients, pauseFor } from '../clients.ts';
import { openConcern } from '../concern.ts';
import type { Encoder } from '../encode/encoder.ts';
import type { Feed } from '../feed.ts';
import type { Turn } from '../limit.ts';
import type { Excess, Limits } from '../overLimit.ts';
import {
  isLevel,
  type Level,
  nextOfSession,
  nextReadOf,
  type SessionEvent,
  type SyncSession,
} from '../session.ts';
import { openViewer } from '../view.ts';
import type { WriteCheckpointFeed } from '../writeCheckpoints.ts';
import type { Leaving } from './seats.ts';

export interface LoneParts {
  readonly world: Pick<World, 'clock' | 'log'>;
  readonly readerOf: (deployment: number) => BucketReader;
  readonly feed: Feed;
  readonly checksums: Checksums;
  readonly chunks: ChunkSource;
  readonly writeCheckpoints: WriteCheckpointFeed;
  readonly clients: ConnectedClients;
  readonly readTurn: Turn;
  readonly limits: Limits;
  readonly metrics: Pick<Metrics, 'add' | 'set'>;
}

export interface LoneClient {
  readonly served: ServedConfig;
  readonly sync: SyncRequest;
  readonly writeCheckpointKey: string;
  readonly encoder: Encoder;
  readonly sink: Sink;
  readonly onSession: (session: SyncSession) => void;
  readonly onSwitched: () => void;
  readonly onRefusals: (refusals: readonly Excess[]) => void;
  /** Called when the client has everything and there is no news. From this call on, the caller must watch for news. */
  readonly onLevel: (session: Level, given: BucketGrant) => void;
}

/** Resolves when the client can wait with others, or when its stream has ended. */
export async function goAlone(
  client: LoneClient,
  from: Leaving,
  over: AbortSignal,
  parts: LoneParts,
): Promise<'level' | 'over'> {
  const { served, writeCheckpointKey, encoder, sink, onSwitched } = client;
  const { feed, writeCheckpoints, metrics } = parts;
  const { deployment } = served;
  let { session, given } = from;
  const sight = from.given && from.view && { given: from.given, view: from.view };
  const known = sight &&
    from.news && {
      news: from.news,
      interests: { buckets: sight.view.buckets, lookups: sight.given.lookups },
    };
  const concern = openConcern(feed, writeCheckpoints, { served, writeCheckpointKey, onSwitched }, known);
  const reader = parts.readerOf(deployment);
  const viewer = openViewer(served, client.sync, writeCheckpointKey, { ...parts, reader }, sight);

  const resolve = async (): Promise<SessionEvent> => {
    const news = concern.take();
    const checkpoint = await feed.newest(deployment, seenBy(session));
    if (checkpoint === undefined) throw new ServiceError('SVC_S2302');
    // The first evaluation covers the entire request; later ones cover only the changes.
    const isFirst = given === undefined;
    if (isFirst) await largeSteps.nextFor(client.sync.subscriptions.length);
    const look = await viewer.look(checkpoint, news);
    if (isFirst) await largeSteps.nextFor(look.view.buckets.size);
    given = look.given;
    concern.follow(look.interests);
    client.onRefusals(look.refusals);
    return { kind: 'view', view: look.view };
  };
  const fetch = (fetching: SyncSession & { kind: 'fetching' }) => {
    const query = { deployment, encoder, ...nextReadOf(fetching) };
    return parts.readTurn(() => parts.chunks.read(query));
  };
  const send = async (lines: readonly Uint8Array[]): Promise<void> => {
    if (over.aborted || lines.length === 0) return;
    const block = blockOf(lines);
    metrics.add('powersync_data_synced_bytes_total', block.size);
    await unlessAborted(sink.send(block), over);
  };

  let held: readonly Uint8Array[] = [];

  try {
    await unlessAborted(from.taken, over);
    while (session.kind !== 'ended') {
      const bytes: Uint8Array[] = [];
      let event: SessionEvent;
      switch (session.kind) {
        case 'resolving':
          event = await resolve();
          break;
        case 'fetching': {
          const chunks = await fetch(session);
          for (const chunk of chunks) {
            bytes.push(chunk.bytes);
            metrics.add('powersync_operations_synced_total', chunk.count);
          }
          event = { kind: 'batch', chunks, newer: concern.hasNews };
          break;
        }
        case 'waiting':
          if (isLevel(session) && given !== undefined && !concern.hasNews && !over.aborted) {
            client.onLevel(session, given);
            return 'level';
          }
          await parts.world.clock.sleep(pauseFor(parts.clients.size), over);
          await concern.wait(session.told.open ? 'any notice' : 'news', over);
          event = { kind: 'concerned' };
          break;
      }
      if (over.aborted) event = { kind: 'end' };
      const isFirst = session.told.view === undefined;
      const step = nextOfSession(session, event);
      session = step.session;
      client.onSession(session);
      const output = [...held, ...bytes, ...step.lines.map(encoder.line)];
      // The line of a diff is sent with the first operations, which follow immediately, because an additional write would cost
      // more than everything else.
      const isHeld = event.kind === 'view' && session.kind === 'fetching' && !isFirst;
      held = isHeld ? output : [];
      // Nothing more is read for a client until it has read the last output.
      if (!isHeld) await send(output);
    }
    return 'over';
  } finally {
    concern.stop();
  }
}

/**
 * Waits for the work, or until the signal is aborted, so that a client that does not read cannot keep its stream from ending.
 * Unlike a race, this leaves no listener at the signal, which may live long.
 */
async function unlessAborted(work: Promise<void> | undefined, signal: AbortSignal): Promise<void> {
  if (work === undefined || signal.aborted) return;
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => resolve();
    signal.addEventListener('abort', stop);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/**
 * Returns the position that the client may have reached through another connection. This connection must not send an older
 * checkpoint.
 */
function seenBy(session: SyncSession): OpId {
  if (session.kind === 'ended' || session.told.view !== undefined) return 0;
  let last = 0;
  for (const position of session.told.positions.values()) if (position > last) last = position;
  return last;
}
