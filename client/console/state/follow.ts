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

/** The state that the loops of one page share. Times are on the clock of the page. */
interface Following {
  readonly transport: Transport;
  readonly state: ServiceState;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Whether the service sends events. If it does not, only its answers show that it is running. */
  hasEvents: boolean;
  eventAt: number;
  answerAt: number;
  /** The time that the last answer took, in milliseconds. */
  took: number;
  /** Aborted when the next diagnosis is wanted at once. */
  alarm: AbortController;
}

/** Follows the service. Resolves when the signal is aborted. */
export async function followService(
  transport: Transport,
  state: ServiceState,
  signal: AbortSignal,
  clock: Clock = usualClock,
): Promise<void> {
  const now = clock.now();
  const times = { hasEvents: true, eventAt: now, answerAt: now, took: 0, alarm: new AbortController() };
  const following: Following = { transport, state, signal, clock, ...times };
  await Promise.all([followEvents(following), lookAgainAndAgain(following), watchAge(following)]);
}

async function lookAgainAndAgain(following: Following): Promise<void> {
  const { signal, clock } = following;
  while (!signal.aborted) {
    following.alarm = new AbortController();
    await look(following);
    await clock.sleep(pauses.diagnosis, AbortSignal.any([signal, following.alarm.signal]));
  }
}

/** Marks the shown state as old in time, even if no connection has failed. */
async function watchAge(following: Following): Promise<void> {
  const { state, signal, clock } = following;
  while (!signal.aborted) {
    await clock.sleep(pauses.watch, signal);
    const { hasEvents, eventAt, answerAt, took } = following;
    const now = clock.now();
    const heardAt = hasEvents ? eventAt : answerAt;
    const answersLimit = overdueAfter(pauses.diagnosis, took);
    const isKnown = state.link.value.kind !== 'connecting';
    batch(() => {
      if (isAnswering(state.link.value) && now - heardAt > (hasEvents ? patience.events : answersLimit))
        setLink(state, { kind: 'gone', since: heardAt, why: 'The service has sent nothing since then.' });
      const age = now - answerAt;
      if (isKnown && age > answersLimit)
        state.health.value = next(state.health.value, { kind: 'overdue', age });
    });
  }
}

async function followEvents(following: Following): Promise<void> {
  const { transport, state, signal, clock } = following;
  let pause = pauses.first;
  while (!signal.aborted) {
    const attempt = new AbortController();
    following.eventAt = clock.now();
    void abortIfSilent(attempt, following);
    const why = await transport
      .events(
        (value) => {
          const line = readWatchLine(value);
          if (line === undefined) return;
          following.hasEvents = true;
          following.eventAt = clock.now();
          applyLine(state, line, clock.now());
          if (line.kind === 'happening') following.alarm.abort();
          if (state.link.value.kind === 'connected') return;
          setLink(state, { kind: 'connected', since: clock.now() });
          pause = pauses.first;
        },
        AbortSignal.any([signal, attempt.signal]),
      )
      .then(() => 'The service has closed the connection.', asFailure)
      .finally(() => attempt.abort());
    if (signal.aborted) return;
    if (typeof why !== 'string' && why.kind === 'absent') {
      following.hasEvents = false;
      await look(following);
      await clock.sleep(pauses.withoutEvents, signal);
      continue;
    }
    // The service may have stopped. Whether it supports events is determined again when it is back.
    following.hasEvents = true;
    setLink(state, linkAfter(why, state.link.value, clock.now()));
    await clock.sleep(pause, signal);
    pause = Math.min(2 * pause, pauses.longest);
  }
}

/** Ends an attempt whose stream has been silent for too long. */
async function abortIfSilent(attempt: AbortController, following: Following): Promise<void> {
  const { clock } = following;
  while (!attempt.signal.aborted) {
    await clock.sleep(patience.broken, attempt.signal);
    if (clock.now() - following.eventAt >= patience.broken) attempt.abort();
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
  const kind = typeof failure === 'string' ? undefined : failure.kind;
  if (kind === 'no service' || kind === 'signed out') return { kind, why };
  return { kind: 'gone', since: before.kind === 'gone' ? before.since : now, why };
}

async function look(following: Following): Promise<void> {
  const { state, signal, clock } = following;
  const askedAt = clock.now();
  const failure = await askDiagnosis(following);
  if (failure === undefined) {
    following.answerAt = clock.now();
    following.took = following.answerAt - askedAt;
  }
  if (following.hasEvents || signal.aborted) return;
  const before = state.link.value;
  if (failure !== undefined) setLink(state, linkAfter(failure, before, clock.now()));
  else if (before.kind !== 'asking') setLink(state, { kind: 'asking', since: clock.now() });
}

/** Requests the diagnosis. After a failure, the previous diagnosis stays, because the state of the link shows that it is old. */
export async function askDiagnosis({
  transport,
  state,
  signal,
  clock,
}: Pick<Following, 'transport' | 'state' | 'signal'> & {
  readonly clock: Pick<Clock, 'now'>;
}): Promise<CallFailure | undefined> {
  const asked = { sync_rules_content: true, bucket_counts: true };
  try {
    const answer = await transport.call('POST', '/api/admin/v1/diagnostics', asked, signal);
    const ahead = transport.clockAhead();
    // The events of a connected service contain a more precise time.
    if (state.link.value.kind !== 'connected' && ahead !== undefined) state.clockAhead.value = ahead;
    const diagnosis = readDiagnosis(answer, clock.now() + state.clockAhead.value);
    if (diagnosis === undefined)
      return new CallFailure('refused', 'The service answered in an unknown format.');
    state.health.value = next(state.health.value, { kind: 'answered', diagnosis });
    return undefined;
  } catch (error) {
    return error instanceof CallFailure ? error : new CallFailure('refused', String(error));
  }
}
