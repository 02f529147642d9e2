/** The service's log as `headwater dev` shows it: events about the data, without successful requests. */
import { harmless, type Paint, paintFor } from '../colours.ts';
import type { Call } from '../command.ts';

export interface LogScreen {
  /** The variables that the service needs for this log. */
  readonly env: Readonly<Record<string, string>>;
  readonly onLine: (line: string) => void;
}

/** The lines of level `info` that are shown. Warnings and errors always are. */
type ShownEvents = 'all' | 'without requests' | 'none';

/** Returns undefined if the log stays unchanged: for programs, or in a format that the user has chosen. */
export function logScreen({
  has,
  progress,
  world,
}: Pick<Call<'verbose'>, 'has' | 'progress' | 'world'>): LogScreen | undefined {
  if (has('json') || world.env.PS_LOG_FORMAT) return undefined;
  const paint = paintFor(world.terminal.errors, world.env);
  const events = has('verbose') ? 'all' : has('quiet') ? 'none' : 'without requests';
  return {
    env: { PS_LOG_FORMAT: 'json' },
    onLine: (line) => {
      const shown = shownLine(line, events, paint);
      if (shown === undefined) return;
      progress.end();
      world.complain(shown);
    },
  };
}

/** Returns undefined for a line that is not shown. A line that is not part of the log is shown unchanged. */
function shownLine(line: string, events: ShownEvents, paint: Paint): string | undefined {
  const entry = readEntry(line);
  if (entry === undefined) return harmless(line);
  const { timestamp, level, message, stack, ...facts } = entry;
  const isEvent = level !== 'warn' && level !== 'error';
  // A request is recognised by its status.
  if (isEvent && (events === 'none' || (events === 'without requests' && facts.status !== undefined)))
    return undefined;
  const colour = level === 'error' ? paint.red : level === 'warn' ? paint.yellow : (text: string) => text;
  const details = Object.entries(facts).map(([name, value]) => ` ${name}=${value}`);
  const parts = [
    paint.dim(timeOf(timestamp)),
    colour(harmless(message)),
    paint.dim(harmless(details.join(''))),
  ];
  const shown = `${parts[0]} ${parts[1]}${parts[2]}`;
  return typeof stack === 'string' ? `${shown}\n${harmless(stack).replace(/^/gm, '    ')}` : shown;
}

interface LogEntry extends Readonly<Record<string, unknown>> {
  readonly timestamp: string;
  readonly level: string;
  readonly message: string;
}

function readEntry(line: string): LogEntry | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const entry: Readonly<Record<string, unknown>> = JSON.parse(line);
    const isWhole = ['timestamp', 'level', 'message'].every((key) => typeof entry[key] === 'string');
    return isWhole ? (entry as LogEntry) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns hours, minutes and seconds in the user's time zone. */
function timeOf(timestamp: string): string {
  return new Date(timestamp).toTimeString().slice(0, 8);
}
