/** Log lines: a description of an event, and its facts. Facts never contain secrets. */
import { ServiceError } from './errors.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/**
 * The facts of a line. `happening` is only for the timeline of the service and is not written; for example, it marks a
 * `migration`.
 */
export type LogFacts = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Log {
  readonly write: (level: LogLevel, message: string, facts?: LogFacts) => void;
}

export const silentLog: Log = { write: () => {} };

/** Logs a failure. The stack trace is included only if the cause is unforeseen. */
export function logFailure(log: Log, what: string, error: unknown, facts: LogFacts = {}): void {
  const known = error instanceof ServiceError ? error : undefined;
  if (known !== undefined && known.cause === undefined) {
    log.write('warn', `${what} failed: ${known.message}`, { ...facts, code: known.code });
    return;
  }
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
  log.write('error', `${what} failed: ${message}`, { code: known?.code, ...facts, stack });
}
