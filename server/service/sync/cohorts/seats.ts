/** A client's seat in a cohort: the state of the client there, and the state that it leaves with. */

import { startAlone } from '../../ground/unattended.ts';
import type { Sink } from '../../http/block.ts';
import type { BucketGrant } from '../buckets.ts';
import type { News } from '../concern.ts';
import type { SyncSession } from '../session.ts';
import type { ClientSight } from '../view.ts';

export interface CohortMember {
  readonly writeCheckpointKey: string;
  readonly sink: Sink;
  /** Called once, when the client leaves. From then on, the client must watch for news itself. */
  readonly leave: (leaving: Leaving) => void;
}

export interface Leaving extends Partial<ClientSight> {
  /** The session up to which the client was sent everything. */
  readonly session: SyncSession;
  /** The news since then. Absent after the session has ended. */
  readonly news?: News;
  /** Resolves when the client has read the last output. Absent: the client has already read it. */
  readonly taken?: Promise<void>;
}

export interface Seat {
  readonly member: CohortMember;
  readonly lookups: ReadonlySet<string>;
  readonly writeCheckpoint: bigint | undefined;
  /** The session up to which the client was sent everything. */
  session: SyncSession;
  taken: Promise<void> | undefined;
}

const noLookups: ReadonlySet<string> = new Set();

/** @param session the session of the cohort, which is shared; only the write checkpoint belongs to the client */
export function seatOf(
  member: CohortMember,
  session: SyncSession,
  { lookups, writeCheckpoint }: Pick<Seat, 'lookups' | 'writeCheckpoint'>,
): Seat {
  const own = lookups.size === 0 ? noLookups : lookups;
  return { member, lookups: own, writeCheckpoint, session, taken: undefined };
}

/** Blocks further output until the client has read the last output. */
export function hold(seat: Seat, taken: Promise<void> | undefined): void {
  if (taken === undefined) return;
  seat.taken = taken;
  startAlone('Sending to a client', async () => {
    await taken;
    if (seat.taken === taken) seat.taken = undefined;
  });
}

/** Returns the state from which the client continues: the position up to which it was sent everything. */
export function leavingOf(seat: Seat, given: BucketGrant, news: News): Leaving {
  const { taken, lookups } = seat;
  const session = withOwnNumber(seat);
  const view = session.kind === 'ended' ? undefined : session.told.view;
  return { session, given: { ...given, lookups }, news, ...(view && { view }), ...(taken && { taken }) };
}

function withOwnNumber({ session, writeCheckpoint }: Seat): SyncSession {
  if (session.kind === 'ended' || session.told.view === undefined) return session;
  return { ...session, told: { ...session.told, view: { ...session.told.view, writeCheckpoint } } };
}
