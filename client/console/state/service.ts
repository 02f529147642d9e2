/** The state of the service, as signals. Every screen reads it; only {@link followService} changes it. */
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Diagnosis } from '../../api/answers.ts';
import type { Happening, Second, WatchedClient } from '../../api/watch.ts';
import type { Health } from '../../health/health.ts';

export type LinkState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected'; readonly since: number }
  /** Everything that is shown is as old as `since`. */
  | { readonly kind: 'gone'; readonly since: number; readonly why: string }
  /** An editor without a service: what needs none works. */
  | { readonly kind: 'no service'; readonly why: string }
  /** Nothing will come until the user signs in again. */
  | { readonly kind: 'signed out'; readonly why: string }
  /** A service of another kind: it has no events, so it is asked now and then. */
  | { readonly kind: 'asking'; readonly since: number };

export interface ServiceState {
  readonly link: Signal<LinkState>;
  /** The number of times that the service came back, after which failed questions are asked again. */
  readonly returns: Signal<number>;
  /** The number of milliseconds by which the clock of the service is ahead of this one. */
  readonly clockAhead: Signal<number>;
  /** Oldest first, an hour at most. */
  readonly seconds: Signal<readonly Second[]>;
  /** Oldest first. */
  readonly happenings: Signal<readonly Happening[]>;
  readonly clients: Signal<ReadonlyMap<number, WatchedClient>>;
  /** The number of clients, including those that are not listed; undefined if the service does not report it. */
  readonly clientCount: Signal<number | undefined>;
  /** The last operation that clients may have; undefined while that is not known. */
  readonly lastOp: Signal<string | undefined>;
  /** The judgement of the last answer, which is asked for whenever something happened, and every few seconds. */
  readonly health: Signal<Health>;
  /** Deployments, tables and errors, as the last answer has them. */
  readonly diagnosis: ReadonlySignal<Diagnosis | undefined>;
}

export function createServiceState(): ServiceState {
  const health = signal<Health>({ kind: 'unknown' });
  return {
    link: signal<LinkState>({ kind: 'connecting' }),
    returns: signal(0),
    clockAhead: signal(0),
    seconds: signal<readonly Second[]>([]),
    happenings: signal<readonly Happening[]>([]),
    clients: signal<ReadonlyMap<number, WatchedClient>>(new Map()),
    clientCount: signal<number | undefined>(undefined),
    lastOp: signal<string | undefined>(undefined),
    health,
    diagnosis: computed(() => ('diagnosis' in health.value ? health.value.diagnosis : undefined)),
  };
}
