/** Reads the stream of one client for as long as the user looks at its device. */
import { batch, type Signal, signal } from '@preact/signals';
import { isObject } from '../../api/reading.ts';
import type { SyncQuestion } from '../../api/synced.ts';
import { CallFailure, type Transport } from '../link/transport.ts';
import { type LiveDevice, openDevice } from './device.ts';
import { keepPace } from './pace.ts';
import { marksLast, type ShownRows, showRows } from './shownRows.ts';

/** The user of a device, and the requests of its app. */
export interface DeviceOwner {
  readonly user: string;
  /** The claims other than `sub`. */
  readonly claims: Readonly<Record<string, unknown>>;
  readonly question: SyncQuestion;
}

export type DeviceLink =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live'; readonly since: number }
  /** The service is gone. The rows are shown as of `since`. */
  | { readonly kind: 'gone'; readonly since: number; readonly why: string }
  /** There are more rows than can be kept. The shown rows are incomplete, and are as of `since`. */
  | { readonly kind: 'full'; readonly since: number }
  | { readonly kind: 'refused'; readonly why: string };

export interface DeviceState {
  readonly link: Signal<DeviceLink>;
  /** The tables by name. The same object is updated: read {@link pictures} to follow them. */
  readonly tables: ReadonlyMap<string, ShownRows>;
  /** A counter that changes when the drawn rows have changed. */
  readonly pictures: Signal<number>;
  /** The number of rows per second while there are too many to show each of them. */
  readonly sampling: Signal<number | undefined>;
  /** The service's sentences about problems. */
  readonly problems: Signal<readonly string[]>;
  /** False until the device was complete once. */
  readonly isWhole: Signal<boolean>;
  readonly device: () => LiveDevice;
}

export interface DeviceClock {
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** The pauses between attempts, in milliseconds. */
const pauses = { first: 250, longest: 5_000 };
/** A token is replaced in its last 20 seconds, or in the second half of its lifetime if that is shorter. */
const renewal = 20;

/** The service has no key to sign tokens with. */
const noSecret = /S4108$/;

export function followDevice(
  transport: Pick<Transport, 'sync'>,
  owner: DeviceOwner,
  clientId: string,
  end: AbortSignal,
  clock: DeviceClock,
): DeviceState {
  const device = openDevice();
  const tables = new Map<string, ShownRows>();
  const pace = keepPace();
  const state: DeviceState = {
    link: signal<DeviceLink>({ kind: 'connecting' }),
    tables,
    pictures: signal(0),
    sampling: signal<number | undefined>(undefined),
    problems: signal<readonly string[]>([]),
    isWhole: signal(false),
    device: () => device,
  };
  let lifetime: number | undefined;
  let isWaiting = false;
  let isSweeping = false;

  /** Draws the changes at once, or later together with further changes. */
  function draw(): void {
    const pause = pace.interval(clock.now());
    if (pause === 0) drawNow();
    if (pause === 0 || isWaiting) return;
    isWaiting = true;
    void clock.sleep(pause, end).then(() => {
      isWaiting = false;
      drawNow();
    });
  }

  function drawNow(): void {
    const now = clock.now();
    for (const rows of tables.values()) rows.sweep(now);
    batch(() => {
      state.sampling.value = pace.isSampling(now) ? pace.perSecond(now) : undefined;
      state.pictures.value += 1;
    });
    if (isSweeping) return;
    isSweeping = true;
    void clock.sleep(marksLast, end).then(() => {
      isSweeping = false;
      sweep();
    });
  }

  /** Draws marked rows again without their mark, because there may be no other reason to draw. */
  function sweep(): void {
    const now = clock.now();
    const marked = [...tables.values()].some((rows) => rows.hasMarks());
    if (marked || state.sampling.value !== undefined) drawNow();
    for (const [name, rows] of tables) if (rows.size() === 0 && !rows.hasMarks()) tables.delete(name);
    if (!pace.isSampling(now)) state.sampling.value = undefined;
  }

  /** @returns whether to continue reading the stream */
  function take(line: unknown): 'read on' | 'connect again' | 'stop' {
    const step = device.take(isObject(line) ? line : {});
    const now = clock.now();
    switch (step.kind) {
      case 'published': {
        // The first rows of a device are not marked as new.
        const isFirst = !state.isWhole.value;
        for (const [name, change] of step.changes) {
          const { came, changed, gone } = change;
          if (!isFirst) pace.note(came.length + changed.length + gone.length, now);
          const rows = tables.get(name) ?? showRows();
          tables.set(name, rows);
          rows.apply(change, now, isFirst ? 'beginning' : pace.isSampling(now) ? 'plain' : 'marked');
        }
        batch(() => {
          if (step.isWhole) state.isWhole.value = true;
          state.problems.value = device.problems();
          if (state.link.value.kind !== 'live') state.link.value = { kind: 'live', since: now };
        });
        draw();
        return 'read on';
      }
      case 'damaged':
        return 'connect again';
      case 'token':
        lifetime ??= step.expiresIn;
        return step.expiresIn <= Math.min(renewal, lifetime / 2) ? 'connect again' : 'read on';
      case 'full':
        state.link.value = { kind: 'full', since: now };
        return 'stop';
      default:
        return 'read on';
    }
  }

  async function run(): Promise<void> {
    let pause = pauses.first;
    while (!end.aborted) {
      const attempt = new AbortController();
      const leave = (): void => attempt.abort();
      end.addEventListener('abort', leave);
      let next: ReturnType<typeof take> = 'read on';
      lifetime = undefined;
      const body = device.body(owner.question, clientId);
      const onLine = (line: unknown): void => {
        if (next !== 'read on') return;
        next = take(line);
        if (next !== 'read on') attempt.abort();
        else pause = pauses.first;
      };
      const why = await transport
        .sync({ user: owner.user, claims: owner.claims, body }, onLine, attempt.signal)
        .then(() => new CallFailure('unreachable', 'The service has ended the stream.'), asFailure)
        .finally(() => end.removeEventListener('abort', leave));
      if (end.aborted || (next as string) === 'stop') return;
      if ((next as string) === 'connect again') {
        // The pause prevents endless requests to a service whose tokens expire within seconds or that sends damaged data each time.
        await clock.sleep(pauses.first, end);
        continue;
      }
      if (why.kind === 'absent' || why.kind === 'signed out' || noSecret.test(why.code ?? '')) {
        state.link.value = { kind: 'refused', why: why.message };
        if (why.kind !== 'signed out') return;
      } else state.link.value = linkAfter(why, state.link.value, clock.now());
      await clock.sleep(pause, end);
      pause = Math.min(2 * pause, pauses.longest);
    }
  }

  void run();
  return state;
}

function asFailure(error: unknown): CallFailure {
  return error instanceof CallFailure
    ? error
    : new CallFailure('unreachable', 'The connection to the service was lost.');
}

function linkAfter({ kind, message }: CallFailure, before: DeviceLink, now: number): DeviceLink {
  if (kind === 'refused' && before.kind !== 'live' && before.kind !== 'gone')
    return { kind: 'refused', why: message };
  return { kind: 'gone', since: before.kind === 'gone' ? before.since : now, why: message };
}
