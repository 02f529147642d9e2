/** The cohorts, by the output that their clients will get, and by bucket. */
import type { BucketGrant } from '../buckets.ts';
import type { Encoder } from '../encode/encoder.ts';
import type { ServedRevision } from '../feed.ts';
import type { View } from '../protocol.ts';
import type { Level, SyncSession } from '../session.ts';
import { type Crowds, createCrowds } from './crowds.ts';
import type { Seat } from './seats.ts';
import { standsAt } from './standing.ts';

export interface CohortStream {
  readonly served: ServedRevision;
  readonly encoder: Encoder;
}

export interface Cohort extends CohortStream {
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

export interface SeatIn extends Seat {
  cohort: Cohort;
}

/** Opens a cohort at the position of the session. */
export function openCohort(
  { key, served, encoder, given }: Pick<Cohort, 'key' | 'served' | 'encoder' | 'given'>,
  session: Level,
): Cohort {
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

export function createRegister(): Register {
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
