/** The state of the service, as signals. Every screen reads it; only {@link followService} changes it. */
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Diagnosis } from '../../api/answers.ts';
import type { Happening, Second, WatchedClient } from '../../api/watch.ts';
import type { Health } from '../../health/health.ts';

export type LinkState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected'; readonly since: number }
  /** The service is gone. Everything that is shown is as of `since`. */
  | { readonly kind: 'gone'; readonly since: number; readonly why: string }
  /** The editor has no service. Features that need no service still work. */
  | { readonly kind: 'no service'; readonly why: string }
  /** The service sends nothing until the user signs in again. */
  | { readonly kind: 'signed out'; readonly why: string }
  /** The service has no events, so it is polled. */
  | { readonly kind: 'asking'; readonly since: number };

/** Whether the service is connected, or answers the questions that replace events. */
export function isAnswering({ kind }: LinkState): boolean {
  return kind === 'connected' || kind === 'asking';
}

export interface ServiceState {
  readonly link: Signal<LinkState>;
  /** The number of times that the service has returned. After each return, failed requests are repeated. */
  readonly returns: Signal<number>;
  /** The number of milliseconds by which the clock of the service is ahead of this one. */
  readonly clockAhead: Signal<number>;
  /** The values of the last hour at most, oldest first. */
  readonly seconds: Signal<readonly Second[]>;
  /** The events, oldest first. */
  readonly happenings: Signal<readonly Happening[]>;
  readonly clients: Signal<ReadonlyMap<number, WatchedClient>>;
  /** The number of clients, including those that are not listed; undefined if the service does not report it. */
  readonly clientCount: Signal<number | undefined>;
  /** The last operation that clients can have; undefined while it is not known. */
  readonly lastOp: Signal<string | undefined>;
  /** The health according to the last answer. A new answer is requested after each event, and every few seconds. */
  readonly health: Signal<Health>;
  /** The deployments, tables and errors in the last answer. */
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
