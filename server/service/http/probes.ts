/**
 * Whether the process has started, is ready, and still works, for monitors that ask over HTTP or read files. Ready does not
 * mean that a sync config is active.
 */
import type { Clock } from '../ground/world.ts';
import type { Reply, Route } from './route.ts';

interface ProbeState {
  readonly ready: boolean;
  readonly started: boolean;
  /** Milliseconds since 1970, for readers of the answer. */
  readonly touchedAt: number;
  /** The same moment by {@link Clock.steady}, so that a clock that jumps does not make a process look dead or alive. */
  readonly touchedSteadily: number;
}

export interface Probes {
  readonly state: () => ProbeState;
  /** Storage is open, HTTP listens, replication has begun. */
  readonly becomeReady: () => void;
  readonly becomeUnready: () => void;
  /** The loop that should be working has made a step. Cheap: may be called for every batch. */
  readonly touch: () => void;
}

interface ProbeOptions {
  readonly clock: Pick<Clock, 'now' | 'steady'>;
  /** Absent: no files. */
  readonly files?: ProbeFiles;
}

/** The files of probes. Only their existence and age count; if one cannot be written, the service continues. */
export interface ProbeFiles {
  readonly write: (name: ProbeFile, content: string) => void;
  readonly remove: (name: ProbeFile) => void;
}

export type ProbeFile = 'startup' | 'ready' | 'poll';

/** The longest time without a step, in milliseconds, after which the process counts as hung. */
const longestSilence = 10_000;

/** The file of the last touch is written at most this often, in milliseconds: touches come by the thousand. */
const fileInterval = 1_000;

export function createProbes({ clock, files }: ProbeOptions): Probes {
  const moment = () => ({ touchedAt: clock.now(), touchedSteadily: clock.steady() });
  let state: ProbeState = { ready: false, started: false, ...moment() };
  let polledAt = Number.NEGATIVE_INFINITY;
  const write = (name: ProbeFile): void => files?.write(name, String(clock.now()));
  const touch = (): void => {
    state = { ...state, ...moment() };
    if (state.touchedSteadily - polledAt < fileInterval) return;
    polledAt = state.touchedSteadily;
    write('poll');
  };
  return {
    state: () => state,
    touch,
    becomeReady: () => {
      state = { ...state, ready: true, started: true };
      write('startup');
      write('ready');
      touch();
    },
    becomeUnready: () => {
      state = { ...state, ready: false };
      files?.remove('ready');
    },
  };
}

/**
 * Returns the routes of the probes. A process that waits for another one to end is ready: otherwise, a rolling update would
 * wait for it before it ends the other one. The answer still reports that it waits.
 *
 * @param replicates whether there is a loop that could hang; without one, a process that answers is alive
 */
export function probeRoutes(
  probes: Probes,
  replicates: boolean,
  clock: Pick<Clock, 'steady'>,
  isStandby: () => boolean = () => false,
): readonly Route[] {
  const isAlive = ({ touchedSteadily }: ProbeState): boolean =>
    !replicates || clock.steady() - touchedSteadily < longestSilence;
  return [
    probeRoute('/probes/startup', probes, isStandby, ({ started }) => started),
    probeRoute('/probes/liveness', probes, isStandby, isAlive),
    probeRoute('/probes/readiness', probes, isStandby, ({ ready }) => ready),
  ];
}

function probeRoute(
  path: string,
  probes: Probes,
  isStandby: () => boolean,
  passes: (state: ProbeState) => boolean,
): Route {
  return {
    method: 'GET',
    path,
    access: 'public',
    group: 'probe',
    body: 'none',
    answer: async (): Promise<Reply> => {
      const state = probes.state();
      const { ready, started, touchedAt } = state;
      const plain = {
        ready,
        started,
        touched_at: new Date(touchedAt).toISOString(),
        ...(isStandby() && { standby: true }),
      };
      return { plain, status: passes(state) ? 200 : 400 };
    },
  };
}
