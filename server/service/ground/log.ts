/** Log lines: an event in words, and its facts. Secrets are never facts. */
import { ServiceError } from './errors.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** `happening` is for the timeline of the service, and not written: that the line is about a `migration`. */
export type LogFacts = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Log {
  readonly write: (level: LogLevel, message: string, facts?: LogFacts) => void;
}

export const silentLog: Log = { write: () => {} };

/** A stack trace only helps where the cause is unforeseen. */
export function logFailure(log: Log, what: string, error: unknown, facts: LogFacts = {}): void {
  const known = error instanceof ServiceError ? error : undefined;
  if (known !== undefined && known.cause === undefined) {
    log.write('warn', `${what} failed: ${known.message}`, { ...facts, code: known.code });
    return;
  }
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
  log.write('error', `${what} failed: ${message}`, { code: known?.code, ...facts, stack });
}
