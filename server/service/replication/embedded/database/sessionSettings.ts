/**
 * Connections share one session, and each expects its own settings: those of the one before are reset, and its own
 * are said again, whenever another connection has its turn.
 */
import { quoteName } from '../../../../engine/sql/names.ts';

export interface SessionSettings {
  /** To be called with every statement outside of the others' sight. */
  note(sql: string): void;
  /** What brings the session from one connection's settings to another's; undefined when both have none. */
  readonly statements: readonly string[];
}

/** `SET LOCAL` and `SET TRANSACTION` end with their transaction, during which nobody else has a turn. */
const lastingPattern = /^\s*set\s+(?!local\b|transaction\b|constraints\b)/i;
const resetPattern = /^\s*(reset\s+all|discard\s+all)\b/i;

export function openSessionSettings(startup: ReadonlyMap<string, string>): SessionSettings {
  const first = [...startup]
    .filter(([name]) => !notSettings.has(name))
    .map(([name, value]) => `SET ${quoteName(name)} TO ${quoteText(value)}`);
  let statements = first;
  return {
    note(sql) {
      if (resetPattern.test(sql)) statements = first;
      else if (lastingPattern.test(sql)) statements = [...statements.filter((each) => each !== sql), sql];
    },
    get statements() {
      return statements;
    },
  };
}

/** Fields of a start-up message that identify the client, and are not settings of the session. */
const notSettings = new Set(['user', 'database', 'options', 'replication', 'application_name']);

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
