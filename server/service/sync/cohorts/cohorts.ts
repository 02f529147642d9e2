/**
 * Clients that have the same complete checkpoint and will get the same output wait together in a cohort. Changes are looked
 * up, read, encoded and combined once for all of them. A cohort has one session. A client leaves with the state up to which it
 * was sent everything, and continues separately:
 *
 * - when there is news that concerns more than buckets: its lookups or its write checkpoint;
 * - when it reads more slowly than the others, so that they do not wait for it and only its last output stays in memory;
 * - when the next step fails, so that each client finds the cause for itself.
 *
 * When it has everything again, it joins the clients at its position.
 */
import type { Metrics } from '../../ground/metrics.ts';
import { eachInSlices, openSlices } from '../../ground/slices.ts';
import { startAlone } from '../../ground/unattended.ts';
import type { Clock } from '../../ground/world.ts';
import type { ChangedParts } from '../../storage/storage.ts';
import type { BucketGrant } from '../buckets.ts';
import { type ConnectedClients, pauseFor } from '../clients.ts';
import { type News, replaces, sharedKeys } from '../concern.ts';
import type { Encoder } from '../encode/encoder.ts';
import type { Feed, ServedRevision } from '../feed.ts';
import type { View } from '../protocol.ts';
import { isLevel, type Level, type SyncSession } from '../session.ts';
import type { WriteCheckpointFeed } from '../writeCheckpoints.ts';
import { type Crowds, createCrowds } from './crowds.ts';
import { blocksOf, type StepOutput } from './output.ts';
import { type CohortMember, hold, leavingOf, type Seat, seatOf } from './seats.ts';
import { cohortKeyOf, standsAt } from './standing.ts';
import { type StepDeps, takeStep } from './step.ts';

export interface Cohorts {
  /** Adds a client that was sent all news that concern it. */
  join(stream: CohortStream, member: CohortMember, session: Level, given: BucketGrant): CohortSeat;
  /** Removes a client that has disconnected. It leaves with a session that has ended. */
  quit(seat: CohortSeat): void;
}

interface CohortStream {
  readonly served: ServedRevision;
  readonly encoder: Encoder;
}

interface CohortDeps extends StepDeps {
  readonly feed: Pick<Feed, 'watch' | 'newest'>;
  readonly writeCheckpoints: Pick<WriteCheckpointFeed, 'audience'>;
  readonly clients: Pick<ConnectedClients, 'size'>;
  readonly metrics: Pick<Metrics, 'add'>;
  readonly clock: Clock;
}

interface Cohort extends CohortStream {
  readonly key: string;
  readonly given: BucketGrant;
  /** All buckets that the clients of this cohort get, by name. */
  readonly buckets: View['buckets'];
  readonly seats: Set<SeatIn>;
  session: SyncSession;
  /** Buckets that have changed since the session last looked at them. */
  changed: Set<string>;
  /** The buckets of the running step, or of the last one. */
  told: ReadonlySet<string>;
  /**
   * `stepping`: the clients are being sent the next checkpoint. `pausing`: the next step is delayed, so that a burst of changes
   * becomes one step, and thousands of cohorts do not step at the same time.
   */
  state: 'idle' | 'stepping' | 'pausing';
}

interface SeatIn extends Seat {
  cohort: Cohort;
}

/** A seat as the outside sees it. */
export type CohortSeat = Readonly<SeatIn>;

/**
 * The number of steps that start together. If each client has its own bucket, each client is a cohort, so the change of a row
 * that all of them have makes all cohorts step.
 */
const startsAtOnce = 8;

const nothingNew: News = { lookups: false, buckets: new Set(), writeCheckpoint: false };
const allNew: News = { lookups: true, buckets: 'all', writeCheckpoint: true };

export function openCohorts(deps: CohortDeps): Cohorts {
  const { feed, clients, clock, metrics } = deps;
  const cohorts = createRegister();
  const seatsByLookup = createCrowds<SeatIn>();
  const starts = openSlices({ most: startsAtOnce });

  const stand = (seat: SeatIn): boolean => {
    const { cohort, member } = seat;
    if (!cohort.seats.delete(seat)) return false;
    numbers.delete(member.writeCheckpointKey, seat);
    for (const lookup of seat.lookups) seatsByLookup.delete(lookup, seat);
    if (cohort.seats.size === 0) cohorts.delete(cohort);
    return true;
  };
  const release = (seat: SeatIn, what: News): void => {
    if (!stand(seat)) return;
    const { told, changed, given } = seat.cohort;
    const buckets = what.buckets === 'all' ? what.buckets : new Set([...told, ...changed]);
    seat.member.leave(leavingOf(seat, given, { ...what, buckets }));
  };
  const end = (seat: SeatIn): void => {
    if (stand(seat)) seat.member.leave({ session: { kind: 'ended' } });
  };
  const forAll = (cohort: Cohort, act: (seat: SeatIn) => void): void => {
    for (const seat of [...cohort.seats]) act(seat);
  };

  const note = (deployment: number, changed: ChangedParts): void => {
    for (const lookup of sharedKeys(seatsByLookup.keys, changed.lookups))
      for (const seat of seatsByLookup.of(lookup))
        if (seat.cohort.served.deployment === deployment) release(seat, { ...nothingNew, lookups: true });
    for (const bucket of sharedKeys(cohorts.byBucket.keys, changed.buckets))
      for (const cohort of cohorts.byBucket.of(bucket))
        if (cohort.served.deployment === deployment) {
          cohort.changed.add(bucket);
          start(cohort);
        }
  };
  feed.watch((notice) => {
    const { changed, deployment, activated } = notice;
    if (activated !== undefined)
      for (const cohort of cohorts.all()) if (replaces(notice, cohort.served)) forAll(cohort, end);
    if (changed !== undefined) return note(deployment, changed);
    for (const cohort of cohorts.all())
      if (cohort.served.deployment === deployment) forAll(cohort, (seat) => release(seat, allNew));
  });
  const numbers = deps.writeCheckpoints.audience<SeatIn>({
    tell: (seat) => release(seat, { ...nothingNew, writeCheckpoint: true }),
    known: ({ writeCheckpoint }) => writeCheckpoint,
  });

  const start = (cohort: Cohort): void => {
    if (cohort.state !== 'idle' || cohort.changed.size === 0 || cohort.seats.size === 0) return;
    cohort.state = 'pausing';
    starts.add(() => startAlone('A step of clients', () => run(cohort)));
  };
  const run = async (cohort: Cohort): Promise<void> => {
    // All clients have left, or have moved to another cohort.
    if (cohort.seats.size === 0) {
      cohort.state = 'idle';
      return;
    }
    cohort.state = 'stepping';
    try {
      await takeStep(cohort.session, stepOf(cohort), deps);
    } catch {
      forAll(cohort, (seat) => release(seat, allNew));
    }
    cohort.state = 'pausing';
    if (isLevel(cohort.session)) mergeWithOthers(cohort, cohort.session);
    else forAll(cohort, (seat) => release(seat, nothingNew));
    await clock.sleep(pauseFor(clients.size));
    cohort.state = 'idle';
    start(cohort);
  };
  const stepOf = (cohort: Cohort) => ({
    deployment: cohort.served.deployment,
    encoder: cohort.encoder,
    hasChanged: () => cohort.changed.size > 0,
    takeChanged: () => {
      cohort.told = cohort.changed;
      cohort.changed = new Set();
      return cohort.told;
    },
    send: (session: SyncSession, output: StepOutput) => send(cohort, session, output),
  });
  const send = async (cohort: Cohort, session: SyncSession, output: StepOutput): Promise<void> => {
    cohort.session = session;
    const { blockFor, operations } = blocksOf(output, cohort.encoder);
    let bytes = 0;
    let reached = 0;
    await eachInSlices(cohort.seats, (seat) => {
      // The client has not read the last output yet.
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
    const other = cohorts.levelWith(cohort.key, session, cohort);
    if (other === undefined || cohort.seats.size === 0) return;
    for (const bucket of cohort.changed) other.changed.add(bucket);
    for (const seat of cohort.seats) {
      seat.cohort = other;
      other.seats.add(seat);
    }
    cohort.seats.clear();
    cohorts.delete(cohort);
    start(other);
  };

  return {
    join: (stream, member, session, given) => {
      const key = cohortKeyOf(stream, given);
      const cohort = cohorts.levelWith(key, session) ?? cohorts.add(open(key, stream, session, given));
      const { writeCheckpoint } = session.told.view;
      const own = seatOf(member, cohort.session, { lookups: given.lookups, writeCheckpoint });
      const seat: SeatIn = { ...own, cohort };
      numbers.add(member.writeCheckpointKey, seat);
      for (const lookup of seat.lookups) seatsByLookup.add(lookup, seat);
      cohort.seats.add(seat);
      return seat;
    },
    quit: end,
  };
}

function open(key: string, { served, encoder }: CohortStream, session: Level, given: BucketGrant): Cohort {
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
    state: 'idle',
  };
}

interface Register {
  readonly add: (cohort: Cohort) => Cohort;
  readonly delete: (cohort: Cohort) => void;
  /** Returns the current cohorts. */
  readonly all: () => readonly Cohort[];
  /** Returns a cohort whose clients are at the position of this session. */
  readonly levelWith: (key: string, session: Level, but?: Cohort) => Cohort | undefined;
  /**
   * The cohorts by bucket. Without this index, a change of one bucket would require a look at each cohort, and there are as many
   * cohorts as clients if clients share nothing.
   */
  readonly byBucket: Crowds<Cohort>;
}

function createRegister(): Register {
  const byKey = new Map<string, Set<Cohort>>();
  const byBucket = createCrowds<Cohort>();
  return {
    add: (cohort) => {
      byKey.set(cohort.key, (byKey.get(cohort.key) ?? new Set()).add(cohort));
      for (const bucket of cohort.buckets.keys()) byBucket.add(bucket, cohort);
      return cohort;
    },
    delete: (cohort) => {
      const alike = byKey.get(cohort.key);
      if (!alike?.delete(cohort)) return;
      if (alike.size === 0) byKey.delete(cohort.key);
      for (const bucket of cohort.buckets.keys()) byBucket.delete(bucket, cohort);
    },
    byBucket,
    all: () => [...byKey.values()].flatMap((alike) => [...alike]),
    levelWith: (key, session, but) => {
      for (const cohort of byKey.get(key) ?? [])
        if (cohort !== but && cohort.state !== 'stepping' && standsAt(cohort.session, session.told))
          return cohort;
      return undefined;
    },
  };
}
