/** The state of the service, as signals. Every screen reads it; only {@link followService} changes it. */
import { type Signal, signal } from '@preact/signals';
import type { Diagnosis } from '../../api/answers.ts';
import type { Happening, Second, WatchedClient } from '../../api/watch.ts';

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
  /** How often the service was there again after it was not: what failed meanwhile is asked again then. */
  readonly returns: Signal<number>;
  /** How far the clock of the service is ahead of this one, in milliseconds. */
  readonly clockAhead: Signal<number>;
  /** Oldest first, an hour at most. */
  readonly seconds: Signal<readonly Second[]>;
  /** Oldest first. */
  readonly happenings: Signal<readonly Happening[]>;
  readonly clients: Signal<ReadonlyMap<number, WatchedClient>>;
  /** With those that are not listed; undefined where the service does not tell. */
  readonly clientCount: Signal<number | undefined>;
  /** The last operation that clients may have; undefined while that is not known. */
  readonly lastOp: Signal<string | undefined>;
  /** Deployments, tables and errors: asked again whenever something happened, and every few seconds. */
  readonly diagnosis: Signal<Diagnosis | undefined>;
}

export function createServiceState(): ServiceState {
  return {
    link: signal<LinkState>({ kind: 'connecting' }),
    returns: signal(0),
    clockAhead: signal(0),
    seconds: signal<readonly Second[]>([]),
    happenings: signal<readonly Happening[]>([]),
    clients: signal<ReadonlyMap<number, WatchedClient>>(new Map()),
    clientCount: signal<number | undefined>(undefined),
    lastOp: signal<string | undefined>(undefined),
    diagnosis: signal<Diagnosis | undefined>(undefined),
  };
}
