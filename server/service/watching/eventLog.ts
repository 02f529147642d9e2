/** The last few hundred events of the process, in order. */
import { createListeners } from '../ground/listeners.ts';
import type { Log, LogLevel } from '../ground/log.ts';
import type { Clock } from '../ground/world.ts';

export interface TimelineEvent {
  /** Increases by one with each event. */
  readonly id: number;
  /** The time in milliseconds since 1970. */
  readonly at: number;
  readonly kind: 'start' | 'deploy' | 'copy' | 'migration' | 'restart' | 'error';
  /** The description, which is a sentence. */
  readonly message: string;
  /** The deployment that the event is about. */
  readonly deploymentName?: string;
  /** The number of the deployed config that the event is about. */
  readonly configNumber?: number;
  /** The code of an error. */
  readonly code?: string;
}

export interface EventLog {
  readonly all: () => readonly TimelineEvent[];
  readonly add: (happening: Omit<TimelineEvent, 'id' | 'at'>) => void;
  readonly watch: (listener: (happening: TimelineEvent) => void) => () => void;
}

const most = 500;
/** The maximum length in characters, because a database error may quote a statement. */
const longestMessage = 1_000;
/** The time in milliseconds during which the same error is recorded only once. */
const repeatsWithin = 60_000;

export function openEventLog(clock: Pick<Clock, 'now'>): EventLog {
  const happenings: TimelineEvent[] = [];
  const listeners = createListeners<TimelineEvent>();
  let lastId = 0;
  const isRepeated = (message: string, now: number): boolean =>
    happenings.some(
      (each) => each.kind === 'error' && each.message === message && Math.abs(now - each.at) < repeatsWithin,
    );
  return {
    all: () => [...happenings],
    watch: listeners.watch,
    add: (happening) => {
      const at = clock.now();
      const message = happening.message.slice(0, longestMessage);
      if (happening.kind === 'error' && isRepeated(message, at)) return;
      lastId += 1;
      const told = { ...happening, message, id: lastId, at };
      happenings.push(told);
      if (happenings.length > most) happenings.shift();
      listeners.call(told);
    },
  };
}

/** Returns a log that also adds errors to the timeline, and other lines if they request it. */
export function noteInEventLog(log: Log, timeline: Pick<EventLog, 'add'>): Log {
  return {
    write: (level, message, facts = {}) => {
      const { happening, ...others } = facts;
      log.write(level, message, others);
      const kind = kindOf(level, happening);
      if (kind === undefined) return;
      const { code } = others;
      timeline.add({ kind, message, ...(typeof code === 'string' && { code }) });
    },
  };
}

function kindOf(level: LogLevel, happening: unknown): TimelineEvent['kind'] | undefined {
  if (happening === 'migration') return happening;
  return level === 'error' ? 'error' : undefined;
}

/** Returns the event in the form in which it is sent. */
export function describeEvent({
  id,
  at,
  kind,
  message,
  deploymentName,
  configNumber,
  code,
}: TimelineEvent): object {
  return {
    id,
    at: new Date(at).toISOString(),
    kind,
    message,
    ...(deploymentName !== undefined && { slot_name: deploymentName }),
    ...(configNumber !== undefined && { config_number: configNumber }),
    ...(code !== undefined && { code }),
  };
}
