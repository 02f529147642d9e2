/** Keeps the state of the service up to date for as long as the console is open. */
import { batch } from '@preact/signals';
import { readDiagnosis } from '../../api/answers.ts';
import { readWatchLine } from '../../api/watch.ts';
import { next, overdueAfter, pollEvery } from '../../health/health.ts';
import { CallFailure, type Transport } from '../link/transport.ts';
import { applyLine } from './applyLine.ts';
import { pageTime } from './clock.ts';
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

/** The times of the last messages of the service, on the clock of the page. */
interface News {
  /** Whether the service sends events. If it does not, only its answers show that it is running. */
  hasEvents: boolean;
  eventAt: number;
  answerAt: number;
  /** The time that the last answer took, in milliseconds. */
  took: number;
}

interface Clock {
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const usualClock: Clock = {
  now: pageTime,
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    }),
};

/** Follows the service. Resolves when the signal is aborted. */
export async function followService(
  transport: Transport,
  state: ServiceState,
  signal: AbortSignal,
  clock: Clock = usualClock,
): Promise<void> {
  const news: News = { hasEvents: true, eventAt: clock.now(), answerAt: clock.now(), took: 0 };
  let alarm = new AbortController();
  const lookAgainAndAgain = async (): Promise<void> => {
    while (!signal.aborted) {
      alarm = new AbortController();
      await look(transport, state, news, signal, clock);
      await clock.sleep(pauses.diagnosis, AbortSignal.any([signal, alarm.signal]));
    }
  };
  const onHappening = (): void => alarm.abort();
  await Promise.all([
    followEvents(transport, state, news, signal, clock, onHappening),
    lookAgainAndAgain(),
    watchAge(state, news, signal, clock),
  ]);
}

/** Marks the shown state as old in time, even if no connection has failed. */
async function watchAge(state: ServiceState, news: News, signal: AbortSignal, clock: Clock): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(pauses.watch, signal);
    const now = clock.now();
    const { kind } = state.link.value;
    const heardAt = news.hasEvents ? news.eventAt : news.answerAt;
    const answersLimit = overdueAfter(pauses.diagnosis, news.took);
    const limit = news.hasEvents ? patience.events : answersLimit;
    batch(() => {
      if (isAnswering(state.link.value) && now - heardAt > limit)
        setLink(state, { kind: 'gone', since: heardAt, why: silence });
      const age = now - news.answerAt;
      if (kind !== 'connecting' && age > answersLimit)
        state.health.value = next(state.health.value, { kind: 'overdue', age });
    });
  }
}

const silence = 'The service has sent nothing since then.';

async function followEvents(
  transport: Transport,
  state: ServiceState,
  news: News,
  signal: AbortSignal,
  clock: Clock,
  onHappening: () => void,
): Promise<void> {
  let pause = pauses.first;
  while (!signal.aborted) {
    const attempt = new AbortController();
    const end = (): void => attempt.abort();
    signal.addEventListener('abort', end);
    news.eventAt = clock.now();
    void abortIfSilent(attempt, news, clock);
    const why = await transport
      .events((value) => {
        const line = readWatchLine(value);
        if (line === undefined) return;
        news.hasEvents = true;
        news.eventAt = clock.now();
        applyLine(state, line, clock.now());
        if (line.kind === 'happening') onHappening();
        if (state.link.value.kind === 'connected') return;
        setLink(state, { kind: 'connected', since: clock.now() });
        pause = pauses.first;
      }, attempt.signal)
      .then(() => 'The service has closed the connection.', asFailure)
      .finally(() => {
        signal.removeEventListener('abort', end);
        attempt.abort();
      });
    if (signal.aborted) return;
    if (typeof why !== 'string' && why.kind === 'absent') {
      news.hasEvents = false;
      await look(transport, state, news, signal, clock);
      await clock.sleep(pauses.withoutEvents, signal);
      continue;
    }
    // The service may have stopped. Whether it supports events is determined again when it is back.
    news.hasEvents = true;
    setLink(state, linkAfter(why, state.link.value, clock.now()));
    await clock.sleep(pause, signal);
    pause = Math.min(2 * pause, pauses.longest);
  }
}

/** Ends an attempt whose stream has been silent for too long. */
async function abortIfSilent(attempt: AbortController, news: News, clock: Clock): Promise<void> {
  while (!attempt.signal.aborted) {
    await clock.sleep(patience.broken, attempt.signal);
    if (clock.now() - news.eventAt >= patience.broken) attempt.abort();
  }
}

function setLink(state: ServiceState, next: LinkState): void {
  const isBack =
    isAnswering(next) && !isAnswering(state.link.value) && state.link.value.kind !== 'connecting';
  batch(() => {
    state.link.value = next;
    if (isBack) state.returns.value += 1;
  });
}

function asFailure(error: unknown): CallFailure | string {
  return error instanceof CallFailure ? error : 'The connection to the service was lost.';
}

function linkAfter(failure: CallFailure | string, before: LinkState, now: number): LinkState {
  const why = typeof failure === 'string' ? failure : failure.message;
  if (typeof failure !== 'string') {
    if (failure.kind === 'no service') return { kind: 'no service', why };
    if (failure.kind === 'signed out') return { kind: 'signed out', why };
  }
  return before.kind === 'gone'
    ? { kind: 'gone', since: before.since, why }
    : { kind: 'gone', since: now, why };
}

async function look(
  transport: Transport,
  state: ServiceState,
  news: News,
  signal: AbortSignal,
  clock: Clock,
): Promise<void> {
  const askedAt = clock.now();
  const failure = await askDiagnosis(transport, state, signal, clock);
  if (failure === undefined) {
    news.answerAt = clock.now();
    news.took = news.answerAt - askedAt;
  }
  if (news.hasEvents || signal.aborted) return;
  const before = state.link.value;
  if (failure !== undefined) setLink(state, linkAfter(failure, before, clock.now()));
  else if (before.kind !== 'asking') setLink(state, { kind: 'asking', since: clock.now() });
}

/** Requests the diagnosis. After a failure, the previous diagnosis stays, because the state of the link shows that it is old. */
export async function askDiagnosis(
  transport: Transport,
  state: ServiceState,
  signal: AbortSignal,
  clock: Pick<Clock, 'now'> = usualClock,
): Promise<CallFailure | undefined> {
  const asked = { sync_rules_content: true, bucket_counts: true };
  const answer = await transport
    .call('POST', '/api/admin/v1/diagnostics', asked, signal)
    .catch((error: unknown) =>
      error instanceof CallFailure ? error : new CallFailure('refused', String(error)),
    );
  if (answer instanceof CallFailure) return answer;
  const ahead = transport.clockAhead();
  // The events of a connected service contain a more precise time.
  if (state.link.value.kind !== 'connected' && ahead !== undefined) state.clockAhead.value = ahead;
  const diagnosis = readDiagnosis(answer, clock.now() + state.clockAhead.value);
  if (diagnosis === undefined)
    return new CallFailure('refused', 'The service answered in an unknown format.');
  state.health.value = next(state.health.value, { kind: 'answered', diagnosis });
  return undefined;
}
