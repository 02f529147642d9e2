/**
 * Clients that have all of a checkpoint, and get the same from there on, wait together: what changes is looked up, read,
 * encoded and put together once for all of them. A cohort has one session; each of its clients leaves with the state up to
 * which it has been sent everything, and goes on by itself:
 *
 * - when something happened that is not about buckets alone: its lookups, its write checkpoint;
 * - when it does not read as fast as the others: nobody waits for it, and it holds what it was sent last, no more;
 * - when the next step fails: then each finds out by itself what is wrong.
 *
 * When it is level again, it joins those who are where it is.
 */
import { ServiceError } from '../../ground/errors.ts';
import type { Metrics } from '../../ground/metrics.ts';
import { eachInSlices } from '../../ground/slices.ts';
import type { Clock } from '../../ground/world.ts';
import type { Sink } from '../../http/block.ts';
import type { ChangedParts, Notice } from '../../storage/storage.ts';
import type { BucketGrant } from '../buckets.ts';
import type { Checksums } from '../checksums.ts';
import type { ChunkSource } from '../chunks.ts';
import { type ConnectedClients, pauseFor } from '../clients.ts';
import { type News, replaces, sharedKeys, shares } from '../concern.ts';
import type { Encoder } from '../encode/encoder.ts';
import type { Feed, ServedRevision } from '../feed.ts';
import type { Turn } from '../limit.ts';
import type { View } from '../protocol.ts';
import { isLevel, type Level, nextOfSession, type SessionEvent, type SyncSession } from '../session.ts';
import { type ClientSight, renewView } from '../view.ts';
import type { WriteCheckpointFeed } from '../writeCheckpoints.ts';
import { blocksOf, operationBytes, type StepOutput } from './output.ts';
import { cohortKeyOf, standsAt } from './standing.ts';

export interface CohortMember {
  readonly served: ServedRevision;
  readonly writeCheckpointKey: string;
  readonly encoder: Encoder;
  readonly sink: Sink;
  /** Called once, in the turn in which it leaves: what happens from then on it has to notice itself. */
  readonly leave: (leaving: Leaving) => void;
}

export interface Leaving extends Partial<ClientSight> {
  /** Up to which all was sent. */
  readonly session: SyncSession;
  /** What happened after that; absent with a session that has ended. */
  readonly news?: News;
  /** Resolves when the client has taken what was sent last; absent: it has. */
  readonly taken?: Promise<void>;
}

export interface CohortSeat {
  readonly session: () => SyncSession;
  /** The client is gone: it leaves with a session that has ended. */
  readonly quit: () => void;
}

export interface Cohorts {
  /** Of a client that nothing has happened to which it has not been told of. */
  join(member: CohortMember, session: Level, given: BucketGrant): CohortSeat;
}

interface CohortDeps {
  readonly feed: Pick<Feed, 'watch' | 'newest'>;
  readonly writeCheckpoints: Pick<WriteCheckpointFeed, 'watch'>;
  readonly checksums: Checksums;
  readonly chunks: ChunkSource;
  readonly readTurn: Turn;
  readonly clients: Pick<ConnectedClients, 'size'>;
  readonly metrics: Pick<Metrics, 'add'>;
  readonly clock: Clock;
}

interface Cohort {
  readonly key: string;
  readonly served: ServedRevision;
  readonly encoder: Encoder;
  readonly given: BucketGrant;
  /** By their names: all that its clients ever get in it. */
  readonly buckets: View['buckets'];
  readonly seats: Set<Seat>;
  session: SyncSession;
  /** Buckets that have changed since the session looked at them. */
  changed: Set<string>;
  /** Those that it is being told of. */
  told: ReadonlySet<string>;
  isRunning: boolean;
  isStepping: boolean;
}

interface Seat {
  readonly member: CohortMember;
  readonly lookups: ReadonlySet<string>;
  readonly writeCheckpoint: bigint | undefined;
  readonly stopWatching: () => void;
  cohort: Cohort;
  /** Up to which it was sent everything. */
  session: SyncSession;
  taken: Promise<void> | undefined;
}

/** Bytes that are put together before they are sent. */
const blockSize = 64 * 1024;

const nothingNew: News = { lookups: false, buckets: new Set(), writeCheckpoint: false };
const allNew: News = { lookups: true, buckets: 'all', writeCheckpoint: true };

export function openCohorts(deps: CohortDeps): Cohorts {
  const { feed, clients, clock, metrics } = deps;
  const cohorts = new Map<string, Set<Cohort>>();

  const remove = (cohort: Cohort): void => {
    const alike = cohorts.get(cohort.key);
    if (alike?.delete(cohort) && alike.size === 0) cohorts.delete(cohort.key);
  };
  const stand = (seat: Seat): boolean => {
    const { cohort } = seat;
    if (!cohort.seats.delete(seat)) return false;
    seat.stopWatching();
    if (cohort.seats.size === 0) remove(cohort);
    return true;
  };
  const release = (seat: Seat, what: News): void => {
    if (!stand(seat)) return;
    const { cohort, member, taken } = seat;
    const session = withOwnNumber(seat);
    const buckets = what.buckets === 'all' ? what.buckets : new Set([...cohort.told, ...cohort.changed]);
    const view = session.kind === 'ended' ? undefined : session.told.view;
    member.leave({
      session,
      given: { ...cohort.given, lookups: seat.lookups },
      ...(view && { view }),
      news: { ...what, buckets },
      ...(taken && { taken }),
    });
  };
  const end = (seat: Seat): void => {
    if (stand(seat)) seat.member.leave({ session: { kind: 'ended' } });
  };
  const forAll = (cohort: Cohort, act: (seat: Seat) => void): void => {
    for (const seat of [...cohort.seats]) act(seat);
  };

  const hear = (cohort: Cohort, notice: Notice): void => {
    const { changed, deployment } = notice;
    if (replaces(notice, cohort.served)) forAll(cohort, end);
    else if (deployment === cohort.served.deployment) {
      if (changed === undefined) forAll(cohort, (seat) => release(seat, allNew));
      else note(cohort, changed);
    }
  };
  const note = (cohort: Cohort, changed: ChangedParts): void => {
    if (changed.lookups.size > 0)
      forAll(cohort, (seat) => {
        if (shares(seat.lookups, changed.lookups)) release(seat, { ...nothingNew, lookups: true });
      });
    for (const bucket of sharedKeys(cohort.buckets, changed.buckets)) cohort.changed.add(bucket);
    if (!cohort.isRunning) void run(cohort);
  };
  feed.watch((notice) => {
    for (const alike of [...cohorts.values()]) for (const cohort of [...alike]) hear(cohort, notice);
  });

  const run = async (cohort: Cohort): Promise<void> => {
    cohort.isRunning = true;
    while (cohort.changed.size > 0 && cohort.seats.size > 0) {
      cohort.isStepping = true;
      try {
        await advance(cohort);
      } catch {
        forAll(cohort, (seat) => release(seat, allNew));
      }
      cohort.isStepping = false;
      if (isLevel(cohort.session)) mergeWithOthers(cohort, cohort.session);
      else forAll(cohort, (seat) => release(seat, nothingNew));
      await clock.sleep(pauseFor(clients.size));
    }
    cohort.isRunning = false;
  };
  const advance = async (cohort: Cohort): Promise<void> => {
    let output: StepOutput = [];
    let { session } = nextOfSession(cohort.session, { kind: 'concerned' });
    while (session.kind === 'resolving' || session.kind === 'fetching') {
      let event: SessionEvent;
      if (session.kind === 'resolving') event = await look(cohort, session);
      else {
        const chunks = await fetch(cohort, session);
        output = [...output, ...chunks];
        event = { kind: 'batch', chunks, newer: cohort.changed.size > 0 };
      }
      const step = nextOfSession(session, event);
      session = step.session;
      output = [...output, ...step.lines];
      // With the first operations, which follow at once, the line of the checkpoint is one write.
      if (session.kind === 'fetching' && operationBytes(output) < blockSize) continue;
      await send(cohort, session, output);
      output = [];
    }
  };
  const look = async (
    cohort: Cohort,
    { told }: SyncSession & { kind: 'resolving' },
  ): Promise<SessionEvent> => {
    const { deployment } = cohort.served;
    cohort.told = cohort.changed;
    cohort.changed = new Set();
    const checkpoint = await feed.newest(deployment);
    if (checkpoint === undefined || told.view === undefined) throw new ServiceError('SVC_S2302');
    const sumsOf = (at: number, buckets: readonly string[]) => deps.checksums.of(deployment, at, buckets);
    return { kind: 'view', view: await renewView(told.view, checkpoint, cohort.told, sumsOf) };
  };
  const fetch = ({ served, encoder }: Cohort, { told, groups }: SyncSession & { kind: 'fetching' }) => {
    const pending = groups[0]?.pending ?? [];
    const from = pending.map((bucket) => ({ bucket, after: told.positions.get(bucket) ?? 0 }));
    const query = { deployment: served.deployment, at: told.view?.opId ?? 0, from, encoder };
    return deps.readTurn(() => deps.chunks.read(query));
  };
  const send = async (cohort: Cohort, session: SyncSession, output: StepOutput): Promise<void> => {
    cohort.session = session;
    const { blockFor, operations } = blocksOf(output, cohort.encoder);
    let bytes = 0;
    let reached = 0;
    await eachInSlices(cohort.seats, (seat) => {
      // It has not read what it was sent last.
      if (seat.taken !== undefined) return release(seat, nothingNew);
      const block = blockFor(seat.writeCheckpoint);
      if (block !== undefined) {
        hold(seat, seat.member.sink.send(block));
        bytes += block.size;
        reached += 1;
      }
      seat.session = session;
    });
    metrics.add('powersync_data_synced_bytes_total', bytes);
    metrics.add('powersync_operations_synced_total', operations * reached);
  };
  const mergeWithOthers = (cohort: Cohort, session: Level): void => {
    const other = findLevel(cohorts.get(cohort.key), session, cohort);
    if (other === undefined || cohort.seats.size === 0) return;
    for (const bucket of cohort.changed) other.changed.add(bucket);
    for (const seat of cohort.seats) {
      seat.cohort = other;
      other.seats.add(seat);
    }
    cohort.seats.clear();
    remove(cohort);
    if (!other.isRunning) void run(other);
  };

  return {
    join: (member, session, given) => {
      const key = cohortKeyOf(member, given);
      const cohort = findLevel(cohorts.get(key), session) ?? open(key, member, session, given);
      cohorts.set(key, (cohorts.get(key) ?? new Set()).add(cohort));
      const seat: Seat = {
        member,
        cohort,
        lookups: given.lookups,
        writeCheckpoint: session.told.view.writeCheckpoint,
        session: cohort.session,
        taken: undefined,
        stopWatching: deps.writeCheckpoints.watch(
          member.writeCheckpointKey,
          () => release(seat, { ...nothingNew, writeCheckpoint: true }),
          () => seat.writeCheckpoint,
        ),
      };
      cohort.seats.add(seat);
      return { session: () => seat.session, quit: () => end(seat) };
    },
  };
}

function open(key: string, { served, encoder }: CohortMember, session: Level, given: BucketGrant): Cohort {
  const { told } = session;
  const view = { ...told.view, writeCheckpoint: undefined };
  return {
    key,
    served: { deployment: served.deployment, revision: served.revision },
    encoder,
    given,
    buckets: view.buckets,
    seats: new Set(),
    session: { kind: 'waiting', told: { ...told, view } },
    changed: new Set(),
    told: new Set(),
    isRunning: false,
    isStepping: false,
  };
}

function findLevel(alike: Iterable<Cohort> = [], session: Level, but?: Cohort): Cohort | undefined {
  for (const cohort of alike)
    if (cohort !== but && !cohort.isStepping && standsAt(cohort.session, session.told)) return cohort;
  return undefined;
}

function hold(seat: Seat, taken: Promise<void> | undefined): void {
  if (taken === undefined) return;
  seat.taken = taken;
  void taken.then(() => {
    if (seat.taken === taken) seat.taken = undefined;
  });
}

function withOwnNumber({ session, writeCheckpoint }: Seat): SyncSession {
  if (session.kind === 'ended' || session.told.view === undefined) return session;
  return { ...session, told: { ...session.told, view: { ...session.told.view, writeCheckpoint } } };
}
