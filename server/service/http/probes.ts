/**
 * Reports whether the process has started, is ready and is still working, for monitors that ask over HTTP or read files. A
 * process can be ready without an active sync config.
 */
import type { Clock } from '../ground/world.ts';
import type { Reply, Route } from './route.ts';

interface ProbeState {
  readonly ready: boolean;
  readonly started: boolean;
  /** The time in milliseconds since 1970, for readers of the answer. */
  readonly touchedAt: number;
  /** The same moment by {@link Clock.steady}, so that a change of the system clock does not affect the result. */
  readonly touchedSteadily: number;
}

export interface Probes {
  readonly state: () => ProbeState;
  /** Called when the storage is open, the port is open and replication has begun. */
  readonly becomeReady: () => void;
  readonly becomeUnready: () => void;
  /** Reports that the working loop has made a step. It is cheap and may be called for every batch. */
  readonly touch: () => void;
}

interface ProbeOptions {
  readonly clock: Pick<Clock, 'now' | 'steady'>;
  /** Absent: no files. */
  readonly files?: ProbeFiles;
}

/** The files of the probes. Only their existence and age matter. If one cannot be written, the service continues. */
export interface ProbeFiles {
  readonly write: (name: ProbeFile, content: string) => void;
  readonly remove: (name: ProbeFile) => void;
}

export type ProbeFile = 'startup' | 'ready' | 'poll';

/** The time without a step after which the process counts as hung, in milliseconds. */
const longestSilence = 10_000;

/** The minimum interval of writing the file of the last touch, in milliseconds, because there are thousands of touches. */
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
 * Returns the routes of the probes. A process that waits for another one to end is ready. Otherwise, a rolling update would wait
 * for this process before it ends the other one. The answer also reports that the process is waiting.
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
