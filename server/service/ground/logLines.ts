/** Writes a log as lines: text for people, or JSON objects for machines. */
import type { Log, LogFacts, LogLevel } from './log.ts';
import type { Clock } from './world.ts';

export interface LogOptions {
  /** The level, as in `system.logging.level`. A level of the config that this log does not have is mapped to one that it has. */
  readonly level: string;
  readonly format: 'text' | 'json';
  /** Texts to mask wherever they occur: tokens, passwords, keys. */
  readonly secrets: readonly string[];
  /** Receives complete lines, without line break. Returns false if it drops the line. */
  readonly print: (line: string) => unknown;
  readonly clock: Pick<Clock, 'now'>;
}

const order: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];
const thresholds: Readonly<Record<string, LogLevel>> = {
  silly: 'debug',
  debug: 'debug',
  verbose: 'debug',
  http: 'info',
  info: 'info',
  warn: 'warn',
  error: 'error',
};

export function openLog({ level: name, format, secrets, print, clock }: LogOptions): Log {
  const lowest = order.indexOf(thresholds[name] ?? 'info');
  const write = format === 'json' ? jsonLine : textLine;
  const redact = redactor(secrets);
  let missing = 0;
  const tell = (level: LogLevel, message: string, facts: LogFacts): boolean =>
    print(write(new Date(clock.now()).toISOString(), level, message, facts)) !== false;
  return {
    write: (level, message, facts = {}) => {
      if (order.indexOf(level) < lowest) return;
      const shown = Object.fromEntries(
        Object.entries(facts).map(([key, value]) => [key, typeof value === 'string' ? redact(value) : value]),
      );
      if (
        missing > 0 &&
        tell('warn', `Lines are missing here, because the log was not read: ${missing}.`, {})
      )
        missing = 0;
      if (missing > 0 || !tell(level, redact(message), shown)) missing += 1;
    },
  };
}

function jsonLine(timestamp: string, level: LogLevel, message: string, facts: LogFacts): string {
  return JSON.stringify({ ...facts, timestamp, level, message });
}

function textLine(timestamp: string, level: LogLevel, message: string, facts: LogFacts): string {
  const { stack, ...rest } = facts;
  const shown = Object.entries(rest).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}=${typeof value === 'string' ? quoteFact(value) : value}`],
  );
  const line = `${timestamp} ${level.padEnd(5)} ${visible(message)}${shown.join('')}`;
  return typeof stack === 'string' ? `${line}\n${stack.replace(/^/gm, '    ')}` : line;
}

function quoteFact(value: string): string {
  return /^[\w./:@+-]+$/.test(value) ? value : JSON.stringify(value);
}

/**
 * Makes control characters visible, because data from the network must not look like a line of its own or move the cursor of a
 * terminal.
 */
function visible(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
}

/** The minimum length of a masked secret. Shorter ones would also match ordinary words. */
const shortestSecret = 6;

/**
 * Returns a function that masks secrets as the last line of defence: known secrets, texts that look like a JWT or follow
 * `Bearer`, and passwords in URIs. None of them should get here in the first place.
 */
function redactor(secrets: readonly string[]): (text: string) => string {
  const known = secrets.filter((secret) => secret.length >= shortestSecret);
  return (text) => {
    const withoutKnown = known.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
    return withoutKnown
      .replace(/\beyJ[\w-]*\.[\w-]*\.[\w-]*/g, '[token]')
      .replace(/\b(Bearer|Token) +[^\s"']+/g, '$1 [token]')
      .replace(/(:\/\/[^\s:/@]*):[^\s@/]+@/g, '$1:[secret]@');
  };
}
