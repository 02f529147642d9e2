/**
 * The settings of connections that share one session. When another connection has its turn, the settings of the previous
 * connection are stored and reset, and those of the next one are restored.
 */
import { quoteName } from '../../../../engine/sql/names.ts';
import { quoteText } from '../../postgres/identifiers.ts';

export interface SessionSettings {
  /** The statements that apply the connection's settings to a session without any settings. */
  readonly statements: readonly string[];
  /** The query for the current settings. Undefined if they cannot have changed since they were last stored. */
  readonly changed: string | undefined;
  /** Call it with the SQL of each message. */
  note(sql: string): void;
  /** Stores the settings that the session has at the end of a turn. */
  keep(settings: readonly SessionSetting[]): void;
}

export interface SessionSetting {
  readonly name: string;
  readonly setting: string | null;
}

/**
 * Returns the query for the settings of the session. Only PostgreSQL knows them: the SQL alone does not show whether its
 * transaction was rolled back, or what a function has set. Names are qualified, because a project can define operators that hide
 * PostgreSQL's.
 *
 * @param own names of the project's own settings, such as `app.user_id`, which PostgreSQL does not list
 */
function presentSettings(own: Iterable<string>): string {
  const names = ['role', ...own].map(
    (name) => `UNION ALL SELECT ${quoteText(name)}, pg_catalog.current_setting(${quoteText(name)}, true)`,
  );
  return `SELECT name, setting FROM pg_catalog.pg_settings
    WHERE source OPERATOR(pg_catalog.=) 'session'::pg_catalog.text ${names.join(' ')}`;
}

/** Finds statements that may change settings. Many an UPDATE also matches, which costs a millisecond. */
const changing = /(?:^|[;\n/])[ \t\r\f]*(?:set|reset|discard)\b|\bset_config\b|\b(?:call|do|execute)\b/i;

/** Finds the names of a project's own settings where they are set. */
const ownNames = /\bset\s+(?:session\s+)?(\w+(?:\.\w+)+)|\bset_config\s*\(\s*'(\w+(?:\.\w+)+)'/gi;

/** The maximum number of a project's own settings that are stored for a connection. */
const mostOwn = 100;

export function openSessionSettings(startup: ReadonlyMap<string, string>): SessionSettings {
  let statements = [...startup].filter(([name]) => !notSettings.has(name)).map(setStatement);
  let mayHaveChanged = false;
  const own = new Set<string>();
  return {
    get statements() {
      return statements;
    },
    get changed() {
      return mayHaveChanged ? presentSettings(own) : undefined;
    },
    note(sql) {
      mayHaveChanged ||= changing.test(sql);
      for (const [, set, configured] of sql.matchAll(ownNames))
        if (own.size < mostOwn) own.add((set ?? configured ?? '').toLowerCase());
    },
    keep(settings) {
      mayHaveChanged = false;
      const values = new Map(settings.map(({ name, setting: value }) => [name, value ?? '']));
      const role = values.get('role') ?? 'none';
      values.delete('role');
      for (const [name, value] of values)
        if (name.startsWith('transaction_') || (own.has(name) && value === '')) values.delete(name);
      statements = [...values].map(setStatement);
      // The role comes last, because it may not have the right to change the other settings.
      if (role !== 'none') statements.push(`SET ROLE ${quoteName(role)}`);
    },
  };
}

function setStatement([name, value]: readonly [string, string]): string {
  return `SELECT pg_catalog.set_config(${quoteText(name)}, ${quoteText(value)}, false)`;
}

/** Fields of a start-up message that are not settings of the session. */
const notSettings = new Set(['user', 'database', 'options', 'replication', 'application_name']);
