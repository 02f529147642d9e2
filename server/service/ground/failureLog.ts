import { ServiceError } from './errors.ts';
import type { Log, LogFacts } from './log.ts';

/** A stack is only of use where something unforeseen is the cause. */
export function logFailure(log: Log, what: string, error: unknown, facts: LogFacts = {}): void {
  const known = error instanceof ServiceError ? error : undefined;
  if (known !== undefined && known.cause === undefined) {
    log.write('warn', `${what} failed: ${known.message}`, { ...facts, code: known.code });
    return;
  }
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
  log.write('error', `${what} failed: ${message}`, { code: known?.code, ...facts, stack });
}
