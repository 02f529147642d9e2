/** Keeps the state of the service up to date for as long as the console is open. */
import { batch } from '@preact/signals';
import { readDiagnosis } from '../../api/answers.ts';
import { readWatchLine } from '../../api/watch.ts';
import { CallFailure, type Transport } from '../link/transport.ts';
import { applyLine } from './applyLine.ts';
import type { LinkState, ServiceState } from './service.ts';

/** Milliseconds. Whether a service has events is not asked often: it would have to become another one. */
const pauses = { first: 250, longest: 5_000, diagnosis: 5_000, withoutEvents: 60_000 };

/** Without events, only its answers tell whether it is there. */
interface Events {
  isThere: boolean;
}

interface Clock {
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const usualClock: Clock = {
  now: Date.now,
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    }),
};

/** Resolves when the signal is aborted. */
export async function followService(
  transport: Transport,
  state: ServiceState,
  signal: AbortSignal,
  clock: Clock = usualClock,
): Promise<void> {
  const events: Events = { isThere: true };
  let alarm = new AbortController();
  const lookAgainAndAgain = async (): Promise<void> => {
    while (!signal.aborted) {
      alarm = new AbortController();
      await look(transport, state, events, signal, clock);
      await clock.sleep(pauses.diagnosis, AbortSignal.any([signal, alarm.signal]));
    }
  };
  const onHappening = (): void => alarm.abort();
  await Promise.all([
    followEvents(transport, state, events, signal, clock, onHappening),
    lookAgainAndAgain(),
  ]);
}

async function followEvents(
  transport: Transport,
  state: ServiceState,
  events: Events,
  signal: AbortSignal,
  clock: Clock,
  onHappening: () => void,
): Promise<void> {
  let pause = pauses.first;
  while (!signal.aborted) {
    const attempt = new AbortController();
    const end = (): void => attempt.abort();
    signal.addEventListener('abort', end);
    const why = await transport
      .events((value) => {
        const line = readWatchLine(value);
        if (line === undefined) return;
        events.isThere = true;
        applyLine(state, line, clock.now());
        if (line.kind === 'happening') onHappening();
        if (state.link.value.kind === 'connected') return;
        setLink(state, { kind: 'connected', since: clock.now() });
        pause = pauses.first;
      }, attempt.signal)
      .then(() => 'The service has closed the connection.', asFailure)
      .finally(() => signal.removeEventListener('abort', end));
    if (signal.aborted) return;
    if (typeof why !== 'string' && why.kind === 'absent') {
      events.isThere = false;
      await look(transport, state, events, signal, clock);
      await clock.sleep(pauses.withoutEvents, signal);
      continue;
    }
    // It may have stopped; what it can do is seen when it is there again.
    events.isThere = true;
    setLink(state, linkAfter(why, state.link.value, clock.now()));
    await clock.sleep(pause, signal);
    pause = Math.min(2 * pause, pauses.longest);
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

function isAnswering({ kind }: LinkState): boolean {
  return kind === 'connected' || kind === 'asking';
}

function asFailure(error: unknown): CallFailure | string {
  return error instanceof CallFailure ? error : 'The connection to the service broke.';
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
  events: Events,
  signal: AbortSignal,
  clock: Clock,
): Promise<void> {
  const failure = await askDiagnosis(transport, state, signal, clock);
  if (events.isThere || signal.aborted) return;
  const before = state.link.value;
  if (failure !== undefined) setLink(state, linkAfter(failure, before, clock.now()));
  else if (before.kind !== 'asking') setLink(state, { kind: 'asking', since: clock.now() });
}

/** What fails is left as it was: the state of the link says that it is old. @returns why it failed */
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
  // Events tell it to the millisecond.
  if (state.link.value.kind !== 'connected' && ahead !== undefined) state.clockAhead.value = ahead;
  const diagnosis = readDiagnosis(answer, clock.now() + state.clockAhead.value);
  if (diagnosis === undefined)
    return new CallFailure('refused', 'The service answers in a form that is not known.');
  state.diagnosis.value = diagnosis;
  return undefined;
}
