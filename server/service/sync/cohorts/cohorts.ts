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
 *
 * 1. A client has one seat, in one cohort, until it leaves. Its `leave` is called once.
 * 2. A cohort without clients is not registered.
 * 3. A bucket that has changed stays in `changed` until a step takes it. The news of a client that leaves during a step include
 *    the buckets of the step.
 * 4. At most one step of a cohort is running, and nobody joins during a step.
 */
import type { Metrics } from '../../ground/metrics.ts';
import { eachInSlices, openSlices } from '../../ground/slices.ts';
import { startAlone } from '../../ground/unattended.ts';
import type { Clock } from '../../ground/world.ts';
import type { ChangedParts, Notice } from '../../storage/storage.ts';
import type { BucketGrant } from '../buckets.ts';
import { type ConnectedClients, pauseFor } from '../clients.ts';
import { type News, replaces, sharedKeys } from '../concern.ts';
import type { Feed } from '../feed.ts';
import { isLevel, type Level, type SyncSession } from '../session.ts';
import type { Audience, WriteCheckpointFeed } from '../writeCheckpoints.ts';
import { createCrowds } from './crowds.ts';
import { blocksOf, type StepOutput } from './output.ts';
import { type Cohort, type CohortStream, createRegister, openCohort, type SeatIn } from './register.ts';
import { type CohortMember, hold, leavingOf, seatOf } from './seats.ts';
import { cohortKeyOf } from './standing.ts';
import { type StepDeps, type StepOf, takeStep } from './step.ts';

interface CohortDeps extends StepDeps {
  readonly feed: Pick<Feed, 'watch' | 'newest'>;
  readonly writeCheckpoints: Pick<WriteCheckpointFeed, 'audience'>;
  readonly clients: Pick<ConnectedClients, 'size'>;
  readonly metrics: Pick<Metrics, 'add'>;
  readonly clock: Clock;
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

export class Cohorts {
  readonly #deps: CohortDeps;
  readonly #cohorts = createRegister();
  readonly #seatsByLookup = createCrowds<SeatIn>();
  readonly #seatsByNumber: Audience<SeatIn>;
  readonly #starts = openSlices({ most: startsAtOnce });

  constructor(deps: CohortDeps) {
    this.#deps = deps;
    deps.feed.watch((notice) => this.#note(notice));
    this.#seatsByNumber = deps.writeCheckpoints.audience<SeatIn>({
      tell: (seat) => this.#release(seat, { ...nothingNew, writeCheckpoint: true }),
      known: ({ writeCheckpoint }) => writeCheckpoint,
    });
  }

  /** Adds a client that was sent all news that concern it. */
  join(stream: CohortStream, member: CohortMember, session: Level, given: BucketGrant): CohortSeat {
    const key = cohortKeyOf(stream, given);
    const cohort =
      this.#cohorts.levelWith(key, session) ??
      this.#cohorts.add(openCohort({ ...stream, key, given }, session));
    const { writeCheckpoint } = session.told.view;
    const own = seatOf(member, cohort.session, { lookups: given.lookups, writeCheckpoint });
    const seat: SeatIn = { ...own, cohort };
    this.#seatsByNumber.add(member.writeCheckpointKey, seat);
    for (const lookup of seat.lookups) this.#seatsByLookup.add(lookup, seat);
    cohort.seats.add(seat);
    return seat;
  }

  /** Removes a client that has disconnected. It leaves with a session that has ended. */
  quit(seat: CohortSeat): void {
    if (this.#stand(seat)) seat.member.leave({ session: { kind: 'ended' } });
  }

  #note(notice: Notice): void {
    const { changed, deployment, activated } = notice;
    if (activated !== undefined)
      for (const { served, seats } of this.#cohorts.all())
        if (replaces(notice, served)) for (const seat of [...seats]) this.quit(seat);
    if (changed !== undefined) this.#noteParts(deployment, changed);
    else
      for (const cohort of this.#cohorts.all())
        if (cohort.served.deployment === deployment) this.#releaseAll(cohort, allNew);
  }

  #noteParts(deployment: number, changed: ChangedParts): void {
    for (const lookup of sharedKeys(this.#seatsByLookup.keys, changed.lookups))
      for (const seat of this.#seatsByLookup.of(lookup))
        if (seat.cohort.served.deployment === deployment)
          this.#release(seat, { ...nothingNew, lookups: true });
    for (const bucket of sharedKeys(this.#cohorts.byBucket.keys, changed.buckets))
      for (const cohort of this.#cohorts.byBucket.of(bucket))
        if (cohort.served.deployment === deployment) {
          cohort.changed.add(bucket);
          this.#start(cohort);
        }
  }

  /** Takes a client out of its cohort. Returns false if it has already left. */
  #stand(seat: CohortSeat): boolean {
    const { cohort, member } = seat;
    if (!cohort.seats.delete(seat)) return false;
    this.#seatsByNumber.delete(member.writeCheckpointKey, seat);
    for (const lookup of seat.lookups) this.#seatsByLookup.delete(lookup, seat);
    if (cohort.seats.size === 0) this.#cohorts.delete(cohort);
    return true;
  }

  #release(seat: SeatIn, what: News): void {
    if (!this.#stand(seat)) return;
    const { told, changed, given } = seat.cohort;
    const buckets = what.buckets === 'all' ? what.buckets : new Set([...told, ...changed]);
    seat.member.leave(leavingOf(seat, given, { ...what, buckets }));
  }

  #releaseAll({ seats }: Cohort, what: News): void {
    for (const seat of [...seats]) this.#release(seat, what);
  }

  #start(cohort: Cohort): void {
    if (cohort.state !== 'idle' || cohort.changed.size === 0 || cohort.seats.size === 0) return;
    cohort.state = 'pausing';
    this.#starts.add(() => startAlone('A step of clients', () => this.#run(cohort)));
  }

  async #run(cohort: Cohort): Promise<void> {
    const { clients, clock } = this.#deps;
    // All clients have left, or have moved to another cohort.
    if (cohort.seats.size === 0) {
      cohort.state = 'idle';
      return;
    }
    cohort.state = 'stepping';
    try {
      await takeStep(cohort.session, this.#stepOf(cohort), this.#deps);
    } catch {
      this.#releaseAll(cohort, allNew);
    }
    cohort.state = 'pausing';
    if (isLevel(cohort.session)) this.#mergeWithOthers(cohort, cohort.session);
    else this.#releaseAll(cohort, nothingNew);
    await clock.sleep(pauseFor(clients.size));
    cohort.state = 'idle';
    this.#start(cohort);
  }

  #stepOf(cohort: Cohort): StepOf {
    return {
      deployment: cohort.served.deployment,
      encoder: cohort.encoder,
      hasChanged: () => cohort.changed.size > 0,
      takeChanged: () => {
        cohort.told = cohort.changed;
        cohort.changed = new Set();
        return cohort.told;
      },
      send: (session, output) => this.#send(cohort, session, output),
    };
  }

  async #send(cohort: Cohort, session: SyncSession, output: StepOutput): Promise<void> {
    cohort.session = session;
    const { blockFor, operations } = blocksOf(output, cohort.encoder);
    let bytes = 0;
    let reached = 0;
    await eachInSlices(cohort.seats, (seat) => {
      // The client has not read the last output yet.
      if (seat.taken !== undefined) return this.#release(seat, nothingNew);
      const block = blockFor(seat.writeCheckpoint);
      if (block !== undefined) {
        hold(seat, seat.member.sink.send(block));
        bytes += block.size;
        reached += 1;
      }
      seat.session = session;
    });
    this.#deps.metrics.add('powersync_data_synced_bytes_total', bytes);
    this.#deps.metrics.add('powersync_operations_synced_total', operations * reached);
  }

  #mergeWithOthers(cohort: Cohort, session: Level): void {
    const other = this.#cohorts.levelWith(cohort.key, session, cohort);
    if (other === undefined || cohort.seats.size === 0) return;
    for (const bucket of cohort.changed) other.changed.add(bucket);
    for (const seat of cohort.seats) {
      seat.cohort = other;
      other.seats.add(seat);
    }
    cohort.seats.clear();
    this.#cohorts.delete(cohort);
    this.#start(other);
  }
}
