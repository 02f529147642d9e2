/** Log lines: an event in words, and its facts. Secrets are never facts. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export type LogFacts = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Log {
  readonly write: (level: LogLevel, message: string, facts?: LogFacts) => void;
}

export const silentLog: Log = { write: () => {} };
