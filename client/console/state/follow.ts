/** Keeps the state of the service up to date for as long as the console is open. */
import { batch } from '@preact/signals';
import { readDiagnosis } from '../../api/answers.ts';
import { readWatchLine } from '../../api/watch.ts';
import { ageTime } from '../../health/clock.ts';
import { next, overdueAfter, pollEvery } from '../../health/health.ts';
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

interface Clock {
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Follows the service. Resolves when the signal is aborted. Times are on the clock of the page. */
export async function followService(
  transport: Transport,
  state: ServiceState,
  signal: AbortSignal,
  { now, sleep }: Clock = { now: ageTime, sleep: deviceClock.sleep },
): Promise<void> {
  const { link, health } = state;
  /** Whether the service sends events. If it does not, only its answers show that it is running. */
  let hasEvents = true;
  let eventAt = now();
  let answerAt = eventAt;
  /** The time that the last answer took, in milliseconds. */
  let took = 0;
  /** Aborted when the next diagnosis is wanted at once. */
  let alarm = new AbortController();

  async function lookAgainAndAgain(): Promise<void> {
    while (!signal.aborted) {
      alarm = new AbortController();
      await look();
      await sleep(pauses.diagnosis, AbortSignal.any([signal, alarm.signal]));
    }
  }

  async function look(): Promise<void> {
    const askedAt = now();
    const failure = await askDiagnosis(transport, state, signal, now);
    if (failure === undefined) {
      answerAt = now();
      took = answerAt - askedAt;
    }
    if (hasEvents || signal.aborted) return;
    if (failure !== undefined) setLink(linkAfter(failure));
    else if (link.value.kind !== 'asking') setLink({ kind: 'asking', since: now() });
  }

  /** Marks the shown state as old in time, even if no connection has failed. */
  async function watchAge(): Promise<void> {
    while (!signal.aborted) {
      await sleep(pauses.watch, signal);
      const answersLimit = overdueAfter(pauses.diagnosis, took);
      const [heardAt, limit] = hasEvents ? [eventAt, patience.events] : [answerAt, answersLimit];
      const isKnown = link.value.kind !== 'connecting';
      batch(() => {
        if (isAnswering(link.value) && now() - heardAt > limit)
          setLink({ kind: 'gone', since: heardAt, why: 'The service has sent nothing since then.' });
        const age = now() - answerAt;
        if (isKnown && age > answersLimit) health.value = next(health.value, { kind: 'overdue', age });
      });
    }
  }

  async function followEvents(): Promise<void> {
    let pause = pauses.first;
    while (!signal.aborted) {
      const attempt = new AbortController();
      eventAt = now();
      void abortIfSilent(attempt);
      const failure = await transport
        .events(
          (value) => {
            const line = readWatchLine(value);
            if (line === undefined) return;
            hasEvents = true;
            eventAt = now();
            applyLine(state, line, now());
            if (line.kind === 'happening') alarm.abort();
            if (link.value.kind === 'connected') return;
            setLink({ kind: 'connected', since: now() });
            pause = pauses.first;
          },
          AbortSignal.any([signal, attempt.signal]),
        )
        .then(
          () => new CallFailure('unreachable', 'The service has closed the connection.'),
          (error) => asFailure(error, 'unreachable', 'The connection to the service was lost.'),
        )
        .finally(() => attempt.abort());
      if (signal.aborted) return;
      // The service may have stopped. Whether it supports events is determined again when it is back.
      hasEvents = failure.kind !== 'absent';
      if (hasEvents) {
        setLink(linkAfter(failure));
        await sleep(pause, signal);
        pause = Math.min(2 * pause, pauses.longest);
      } else {
        await look();
        await sleep(pauses.withoutEvents, signal);
      }
    }
  }

  /** Ends an attempt whose stream has been silent for too long. */
  async function abortIfSilent(attempt: AbortController): Promise<void> {
    while (!attempt.signal.aborted) {
      await sleep(patience.broken, attempt.signal);
      if (now() - eventAt >= patience.broken) attempt.abort();
    }
  }

  function setLink(next: LinkState): void {
    const isBack = isAnswering(next) && !isAnswering(link.value) && link.value.kind !== 'connecting';
    batch(() => {
      link.value = next;
      if (isBack) state.returns.value += 1;
    });
  }

  function linkAfter({ kind, message: why }: CallFailure): LinkState {
    if (kind === 'no service' || kind === 'signed out') return { kind, why };
    return { kind: 'gone', since: link.value.kind === 'gone' ? link.value.since : now(), why };
  }

  await Promise.all([followEvents(), lookAgainAndAgain(), watchAge()]);
}

function asFailure(error: unknown, kind: CallFailureKind, sentence: string): CallFailure {
  return error instanceof CallFailure ? error : new CallFailure(kind, sentence);
}

/** Requests the diagnosis. After a failure, the previous diagnosis stays, because the state of the link shows that it is old. */
export async function askDiagnosis(
  transport: Transport,
  state: ServiceState,
  signal: AbortSignal,
  now: Clock['now'],
): Promise<CallFailure | undefined> {
  const asked = { sync_rules_content: true, bucket_counts: true };
  try {
    const answer = await transport.call('POST', '/api/admin/v1/diagnostics', asked, signal);
    const ahead = transport.clockAhead();
    // The events of a connected service contain a more precise time.
    if (state.link.value.kind !== 'connected' && ahead !== undefined) state.clockAhead.value = ahead;
    const diagnosis = readDiagnosis(answer, now() + state.clockAhead.value);
    if (diagnosis === undefined)
      return new CallFailure('refused', 'The service answered in an unknown format.');
    state.health.value = next(state.health.value, { kind: 'answered', diagnosis });
    return undefined;
  } catch (error) {
    return asFailure(error, 'refused', String(error));
  }
}
