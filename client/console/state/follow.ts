/** Keeps the state of the service up to date for as long as the console is open. */
import { batch } from '@preact/signals';
import { diagnosisPath, readDiagnosis } from '../../api/answers.ts';
import { readWatchLine } from '../../api/watch.ts';
import { ageTime } from '../../health/clock.ts';
import { next, overdueAfter, pollEvery } from '../../health/health.ts';
import type { DeviceClock } from '../devices/drawnTables.ts';
import { deviceClock } from '../devices/looking.ts';
import { CallFailure, type CallFailureKind, type Transport } from '../link/transport.ts';
import { applyLine } from './applyLine.ts';
import { isAnswering, type LinkState, type ServiceState } from './service.ts';

/**
 * Pauses in milliseconds. A service without events rarely starts to support them, so it is seldom asked for events again.
 * `watch`: the interval at which the age of the shown state is checked.
 */
const pauses = { first: 250, longest: 5_000, diagnosis: pollEvery, withoutEvents: 60_000, watch: 1_000 };
/**
 * The times without news after which the shown state counts as old, in milliseconds. Events arrive every second. An event stream
 * that is silent for `broken` is opened again, because a network can lose a connection without notice.
 */
const patience = { events: pollEvery, broken: 20_000 };

/** Follows the service. Resolves when the signal is aborted. */
export function followService(
  transport: Transport,
  state: ServiceState,
  signal: AbortSignal,
  clock: DeviceClock = { now: ageTime, sleep: deviceClock.sleep },
): Promise<void> {
  return new Follower({ transport, state, signal, clock }).follow();
}

interface Asking {
  readonly transport: Transport;
  readonly state: ServiceState;
  readonly signal: AbortSignal;
  readonly clock: Pick<DeviceClock, 'now'>;
}

interface Following extends Asking {
  readonly clock: DeviceClock;
}

/** Three loops: events, answers, and the age of both. Times are on the clock of the page. */
class Follower {
  readonly #following: Following;
  /** Whether the service sends events. If it does not, only its answers show that it is running. */
  #hasEvents = true;
  #eventAt: number;
  #answerAt: number;
  /** The time that the last answer took, in milliseconds. */
  #took = 0;
  /** Aborted when the next diagnosis is wanted at once. */
  #alarm = new AbortController();

  constructor(following: Following) {
    this.#following = following;
    this.#eventAt = following.clock.now();
    this.#answerAt = this.#eventAt;
  }

  async follow(): Promise<void> {
    await Promise.all([this.#followEvents(), this.#lookAgainAndAgain(), this.#watchAge()]);
  }

  async #lookAgainAndAgain(): Promise<void> {
    const { signal, clock } = this.#following;
    while (!signal.aborted) {
      this.#alarm = new AbortController();
      await this.#look();
      await clock.sleep(pauses.diagnosis, AbortSignal.any([signal, this.#alarm.signal]));
    }
  }

  async #look(): Promise<void> {
    const { state, signal, clock } = this.#following;
    const askedAt = clock.now();
    const failure = await askDiagnosis(this.#following);
    if (failure === undefined) {
      this.#answerAt = clock.now();
      this.#took = this.#answerAt - askedAt;
    }
    if (this.#hasEvents || signal.aborted) return;
    if (failure !== undefined) this.#setLink(this.#linkAfter(failure));
    else if (state.link.value.kind !== 'asking') this.#setLink({ kind: 'asking', since: clock.now() });
  }

  /** Marks the shown state as old in time, even if no connection has failed. */
  async #watchAge(): Promise<void> {
    const { state, signal, clock } = this.#following;
    while (!signal.aborted) {
      await clock.sleep(pauses.watch, signal);
      const now = clock.now();
      const answersLimit = overdueAfter(pauses.diagnosis, this.#took);
      const heardAt = this.#hasEvents ? this.#eventAt : this.#answerAt;
      const limit = this.#hasEvents ? patience.events : answersLimit;
      const isKnown = state.link.value.kind !== 'connecting';
      batch(() => {
        if (isAnswering(state.link.value) && now - heardAt > limit)
          this.#setLink({ kind: 'gone', since: heardAt, why: 'The service has sent nothing since then.' });
        const age = now - this.#answerAt;
        if (isKnown && age > answersLimit)
          state.health.value = next(state.health.value, { kind: 'overdue', age });
      });
    }
  }

  async #followEvents(): Promise<void> {
    const { signal, clock } = this.#following;
    let pause = pauses.first;
    while (!signal.aborted) {
      const failure = await this.#readEvents(() => {
        pause = pauses.first;
      });
      if (signal.aborted) return;
      // The service may have stopped. Whether it supports events is determined again when it is back.
      this.#hasEvents = failure.kind !== 'absent';
      if (this.#hasEvents) {
        this.#setLink(this.#linkAfter(failure));
        await clock.sleep(pause, signal);
        pause = Math.min(2 * pause, pauses.longest);
      } else {
        await this.#look();
        await clock.sleep(pauses.withoutEvents, signal);
      }
    }
  }

  /** Reads events until the connection ends, and returns the reason. */
  async #readEvents(onConnected: () => void): Promise<CallFailure> {
    const { transport, state, signal, clock } = this.#following;
    const attempt = new AbortController();
    this.#eventAt = clock.now();
    void this.#abortIfSilent(attempt);
    const take = (value: unknown): void => {
      const line = readWatchLine(value);
      if (line === undefined) return;
      this.#hasEvents = true;
      this.#eventAt = clock.now();
      applyLine(state, line, clock.now());
      if (line.kind === 'happening') this.#alarm.abort();
      if (state.link.value.kind === 'connected') return;
      this.#setLink({ kind: 'connected', since: clock.now() });
      onConnected();
    };
    try {
      await transport.events(take, AbortSignal.any([signal, attempt.signal]));
      return new CallFailure('unreachable', 'The service has closed the connection.');
    } catch (error) {
      return asFailure(error, 'unreachable', 'The connection to the service was lost.');
    } finally {
      attempt.abort();
    }
  }

  /** Ends an attempt whose stream has been silent for too long. */
  async #abortIfSilent(attempt: AbortController): Promise<void> {
    const { clock } = this.#following;
    while (!attempt.signal.aborted) {
      await clock.sleep(patience.broken, attempt.signal);
      if (clock.now() - this.#eventAt >= patience.broken) attempt.abort();
    }
  }

  #setLink(next: LinkState): void {
    const { link, returns } = this.#following.state;
    const isBack = isAnswering(next) && !isAnswering(link.value) && link.value.kind !== 'connecting';
    batch(() => {
      link.value = next;
      if (isBack) returns.value += 1;
    });
  }

  #linkAfter({ kind, message: why }: CallFailure): LinkState {
    if (kind === 'no service' || kind === 'signed out') return { kind, why };
    const { state, clock } = this.#following;
    const before = state.link.value;
    return { kind: 'gone', since: before.kind === 'gone' ? before.since : clock.now(), why };
  }
}

function asFailure(error: unknown, kind: CallFailureKind, sentence: string): CallFailure {
  return error instanceof CallFailure ? error : new CallFailure(kind, sentence);
}

/** Requests the diagnosis. After a failure, the previous diagnosis stays, because the state of the link shows that it is old. */
export async function askDiagnosis(following: Asking): Promise<CallFailure | undefined> {
  const { transport, state, signal, clock } = following;
  const asked = { sync_rules_content: true, bucket_counts: true };
  try {
    const answer = await transport.call('POST', diagnosisPath, asked, signal);
    const ahead = transport.clockAhead();
    // The events of a connected service contain a more precise time.
    if (state.link.value.kind !== 'connected' && ahead !== undefined) state.clockAhead.value = ahead;
    const diagnosis = readDiagnosis(answer, clock.now() + state.clockAhead.value);
    if (diagnosis === undefined)
      return new CallFailure('refused', 'The service answered in an unknown format.');
    state.health.value = next(state.health.value, { kind: 'answered', diagnosis });
    return undefined;
  } catch (error) {
    return asFailure(error, 'refused', String(error));
  }
}
