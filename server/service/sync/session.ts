/**
 * The output for one client, as a state machine: `next` takes an event and returns the lines that follow.
 *
 *              view: lines                          last batch: `…_complete`
 *   resolving ────────────► fetching ──► fetching ────────────────► waiting
 *    ▲  ▲ │                    │  batch: `partial_…_complete`        │   │
 *    │  │ └ nothing to send ───┼────────────────────────────────────►┘   │
 *    │  └── a newer checkpoint, after enough operations ──┘ (cut short)   │
 *    └───────────────── something that concerns the client ──────────────┘
 *
 * Each state can end, and nothing follows an end. `stream.ts` reads, encodes and waits.
 */
import type { Priority } from '../../engine/model/definition.ts';
import type { BucketPosition, OpId } from '../storage/storage.ts';
import { withValues } from './cohorts/layers.ts';
import { type BucketEntry, checkpointLine, diffLine, type Line, type View } from './protocol.ts';
import { diffOf } from './view.ts';

export type SyncSession =
  /** The buckets of the newest checkpoint are being looked up. */
  | { readonly kind: 'resolving'; readonly told: ClientState }
  /** The operations of the announced checkpoint are being sent. */
  | { readonly kind: 'fetching'; readonly told: ToldState; readonly groups: Groups; readonly sent: number }
  | { readonly kind: 'waiting'; readonly told: ClientState }
  | { readonly kind: 'ended' };

export type SessionEvent =
  | { readonly kind: 'view'; readonly view: View }
  /** `newer`: there is news for the client since the announced checkpoint. */
  | { readonly kind: 'batch'; readonly chunks: readonly SentChunk[]; readonly newer: boolean }
  | { readonly kind: 'concerned' }
  | { readonly kind: 'end' };

export interface ClientState {
  /** Absent before the first checkpoint. */
  readonly view?: View;
  /** The position of the client in each bucket. Buckets outside the view matter only until the first checkpoint. */
  readonly positions: ReadonlyMap<string, OpId>;
  /** The buckets with unsent operations when the checkpoint was given up. */
  readonly unfinished: readonly string[];
  /** The checkpoint is not complete, so the next one must be announced even if nothing differs. */
  readonly open: boolean;
  /**
   * Compaction has replaced operations by a later operation, so the checksums match only from this operation on. A checkpoint
   * before it stays open.
   */
  readonly notBefore: OpId;
}

/** The state after the first checkpoint was announced. */
interface ToldState extends ClientState {
  readonly view: View;
}

/** The names of the buckets that are not completely sent, in groups by priority, with the most urgent group first. */
type Groups = readonly { readonly priority: Priority; readonly pending: readonly string[] }[];

/** The part of a chunk that matters after it was sent. */
export interface SentChunk {
  readonly bucket: string;
  readonly nextAfter: OpId;
  readonly hasMore: boolean;
  readonly count: number;
  readonly target?: OpId;
}

interface Step {
  readonly session: SyncSession;
  readonly lines: readonly Line[];
}

/**
 * The number of sent operations after which a checkpoint may be dropped for a newer one. Below this number, completing it is
 * cheaper.
 */
const interruptibleAfter = 1000;

export function startSession(positions: ReadonlyMap<string, OpId>): SyncSession {
  return { kind: 'resolving', told: { positions, unfinished: [], open: false, notBefore: 0 } };
}

export interface Level {
  readonly kind: 'waiting';
  readonly told: ToldState;
}

/** Whether a client has everything that was announced to it, so that all clients in the same state can get the same output. */
export function isLevel(session: SyncSession): session is Level {
  if (session.kind !== 'waiting') return false;
  const { view, open } = session.told;
  return !open && view !== undefined;
}

export function nextOfSession(session: SyncSession, event: SessionEvent): Step {
  switch (event.kind) {
    case 'end':
      return silently({ kind: 'ended' });
    case 'view':
      return session.kind === 'resolving' ? tell(session.told, event.view) : silently(session);
    case 'batch':
      return session.kind === 'fetching' ? advance(session, event) : silently(session);
    case 'concerned':
      return silently(session.kind === 'waiting' ? { kind: 'resolving', told: session.told } : session);
  }
}

function silently(session: SyncSession): Step {
  return { session, lines: [] };
}

function tell(told: ClientState, view: View): Step {
  if (told.view === undefined) return announce(told, view, [...view.buckets.values()], checkpointLine(view));
  if (view.opId < told.view.opId || view.opId < told.notBefore) return silently({ kind: 'waiting', told });
  // A diff does not contain the streams, so a change of their errors requires a full checkpoint.
  if (errorsOf(view) !== errorsOf(told.view))
    return announce(told, view, [...view.buckets.values()], checkpointLine(view));
  const diff = diffOf(told.view, view);
  const isNews =
    diff.updated.length > 0 ||
    diff.removed.length > 0 ||
    view.writeCheckpoint !== told.view.writeCheckpoint ||
    told.open;
  if (!isNews) return silently({ kind: 'waiting', told: { ...told, view: alone(view) } });
  const fetch = new Map(diff.updated.map((entry) => [entry.bucket, entry]));
  for (const bucket of told.unfinished) {
    const entry = view.buckets.get(bucket);
    if (entry !== undefined) fetch.set(bucket, entry);
  }
  return announce(told, view, [...fetch.values()], diffLine(view, diff));
}

function errorsOf({ streams }: View): string {
  return JSON.stringify(streams.filter(({ errors }) => errors.length > 0));
}

function announce(told: ClientState, view: View, fetch: readonly BucketEntry[], line: Line): Step {
  const isRenewed = told.view !== undefined && view.renews?.view === told.view;
  const positions = isRenewed ? told.positions : positionsIn(view, told.positions);
  const groups = groupsOf(fetch, (bucket) => (positions.get(bucket) ?? 0) < view.opId);
  const next: ToldState = {
    view: alone(view),
    positions,
    unfinished: [],
    open: true,
    notBefore: told.notBefore,
  };
  return complete({ kind: 'fetching', told: next, groups, sent: 0 }, [line]);
}

function positionsIn({ buckets }: View, known: ReadonlyMap<string, OpId>): ReadonlyMap<string, OpId> {
  const positions = new Map<string, OpId>();
  for (const bucket of buckets.keys()) positions.set(bucket, known.get(bucket) ?? 0);
  return positions;
}

/** Returns a view without its predecessor, because a chain of predecessors would stay in memory. */
function alone({ renews: _, ...view }: View): View {
  return view;
}

function groupsOf(fetch: readonly BucketEntry[], lacks: (bucket: string) => boolean): Groups {
  const priorities = [...new Set(fetch.map(({ priority }) => priority))].sort();
  return priorities.map((priority) => ({
    priority,
    pending: fetch
      .filter((entry) => entry.priority === priority && entry.count > 0 && lacks(entry.bucket))
      .map(({ bucket }) => bucket)
      .sort(),
  }));
}

type FetchState = SyncSession & { readonly kind: 'fetching' };

/** Returns the checkpoint whose operations are being sent, and the positions from which they are read next. */
export function nextReadOf({ told, groups }: FetchState): {
  readonly at: OpId;
  readonly from: readonly BucketPosition[];
} {
  const [{ pending } = { pending: [] }] = groups;
  const from = pending.map((bucket) => ({ bucket, after: told.positions.get(bucket) ?? 0 }));
  return { at: told.view.opId, from };
}

function advance(session: FetchState, { chunks, newer }: SessionEvent & { readonly kind: 'batch' }): Step {
  const { told } = session;
  const positions = withValues(
    told.positions,
    chunks.map(({ bucket, nextAfter }) => [bucket, nextAfter]),
  );
  let { sent } = session;
  let { notBefore } = told;
  for (const { count, target } of chunks) {
    sent += count;
    notBefore = Math.max(notBefore, target ?? notBefore);
  }
  const [first, ...rest] = session.groups;
  const groups = first === undefined ? [] : [{ ...first, pending: behind(first.pending, chunks) }, ...rest];
  const moved: FetchState = { ...session, told: { ...told, positions, notBefore }, groups, sent };
  const isOutrun = notBefore > told.view.opId;
  if (isOutrun) return silently(giveUp(moved));
  const step = complete(moved, []);
  if (step.session.kind !== 'fetching' || !newer || sent < interruptibleAfter) return step;
  return { session: giveUp(step.session), lines: step.lines };
}

/** Returns the remaining buckets. Chunks are in the order of the buckets, so the buckets before the last chunk's are complete. */
function behind(pending: readonly string[], chunks: readonly SentChunk[]): readonly string[] {
  const last = chunks.at(-1);
  if (last === undefined) return [];
  const index = pending.indexOf(last.bucket);
  return pending.slice(last.hasMore ? index : index + 1);
}

function giveUp({ told, groups }: FetchState): SyncSession {
  const unfinished = groups.flatMap(({ pending }) => pending);
  return { kind: 'resolving', told: { ...told, unfinished } };
}

/** Completes the groups without pending buckets. When all groups are complete, so is the checkpoint. */
function complete(session: FetchState, before: readonly Line[]): Step {
  const { told, groups } = session;
  const last_op_id = String(told.view.opId);
  const lines = [...before];
  const open = groups.findIndex(({ pending }) => pending.length > 0);
  // The completion of the last group is that of the checkpoint.
  for (const { priority } of groups.slice(0, open))
    lines.push({ partial_checkpoint_complete: { last_op_id, priority } });
  if (open >= 0) return { session: { ...session, groups: groups.slice(open) }, lines };
  lines.push({ checkpoint_complete: { last_op_id } });
  return { session: { kind: 'waiting', told: { ...told, unfinished: [], open: false } }, lines };
}
