/** One step of a cohort: from the checkpoint that all its clients have to the newest one. */
import { ServiceError } from '../../ground/errors.ts';
import type { Checksums } from '../checksums.ts';
import type { ChunkSource } from '../chunks.ts';
import type { Encoder } from '../encode/encoder.ts';
import type { Feed } from '../feed.ts';
import type { Turn } from '../limit.ts';
import { nextOfSession, nextReadOf, type SessionEvent, type SyncSession } from '../session.ts';
import { renewView } from '../view.ts';
import { operationBytes, type StepOutput } from './output.ts';

export interface StepDeps {
  readonly feed: Pick<Feed, 'newest'>;
  readonly checksums: Checksums;
  readonly chunks: ChunkSource;
  readonly readTurn: Turn;
}

export interface StepOf {
  readonly deployment: number;
  readonly encoder: Encoder;
  /** Returns the buckets that have changed since the last call. Called when they are about to be looked at. */
  readonly takeChanged: () => ReadonlySet<string>;
  readonly hasChanged: () => boolean;
  /** Sends the output to all clients. Afterwards, each of them is at the position of this session. */
  readonly send: (session: SyncSession, output: StepOutput) => Promise<void>;
}

/** The number of bytes that are combined into one write. */
const blockSize = 64 * 1024;

type Fetching = SyncSession & { readonly kind: 'fetching' };
type Resolving = SyncSession & { readonly kind: 'resolving' };

export async function takeStep(from: SyncSession, of: StepOf, deps: StepDeps): Promise<void> {
  let output: StepOutput = [];
  let { session } = nextOfSession(from, { kind: 'concerned' });
  while (session.kind === 'resolving' || session.kind === 'fetching') {
    let event: SessionEvent;
    if (session.kind === 'resolving') event = await look(session, of, deps);
    else {
      const chunks = await fetch(session, of, deps);
      output = [...output, ...chunks];
      event = { kind: 'batch', chunks, newer: of.hasChanged() };
    }
    const next = nextOfSession(session, event);
    session = next.session;
    output = [...output, ...next.lines];
    // The line of the checkpoint is sent together with the first operations, which follow immediately.
    if (session.kind === 'fetching' && operationBytes(output) < blockSize) continue;
    await of.send(session, output);
    output = [];
  }
}

async function look(
  { told }: Resolving,
  { deployment, takeChanged }: StepOf,
  { feed, checksums }: StepDeps,
): Promise<SessionEvent> {
  const changed = takeChanged();
  const checkpoint = await feed.newest(deployment);
  if (checkpoint === undefined || told.view === undefined) throw new ServiceError('SVC_S2302');
  const sumsOf = (at: number, buckets: readonly string[]) => checksums.of(deployment, at, buckets);
  return { kind: 'view', view: await renewView(told.view, checkpoint, changed, sumsOf) };
}

function fetch(session: Fetching, { deployment, encoder }: StepOf, { chunks, readTurn }: StepDeps) {
  const query = { deployment, encoder, ...nextReadOf(session) };
  return readTurn(() => chunks.read(query));
}
