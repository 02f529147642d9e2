/** Reads the stream of one client for as long as the user looks at its device. */
import { batch, type Signal, signal } from '@preact/signals';
import { isObject } from '../../api/reading.ts';
import type { SyncQuestion } from '../../api/synced.ts';
import { CallFailure, type Transport } from '../link/transport.ts';
import { type LiveDevice, openDevice } from './device.ts';
import { type DeviceClock, DrawnTables } from './drawnTables.ts';
import type { ShownRows } from './shownRows.ts';

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
  const drawn = new DrawnTables(end, clock);
  const state: DeviceState = {
    link: signal<DeviceLink>({ kind: 'connecting' }),
    tables: drawn.tables,
    pictures: drawn.pictures,
    sampling: drawn.sampling,
    problems: signal<readonly string[]>([]),
    isWhole: signal(false),
    device: () => device,
  };
  let lifetime: number | undefined;

  /** @returns whether to continue reading the stream */
  function take(line: unknown): 'read on' | 'connect again' | 'stop' {
    const step = device.take(isObject(line) ? line : {});
    const now = clock.now();
    switch (step.kind) {
      case 'published':
        drawn.apply(step.changes, !state.isWhole.value);
        batch(() => {
          if (step.isWhole) state.isWhole.value = true;
          state.problems.value = device.problems();
          if (state.link.value.kind !== 'live') state.link.value = { kind: 'live', since: now };
        });
        drawn.draw();
        return 'read on';
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
