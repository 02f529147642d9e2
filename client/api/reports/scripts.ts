/** A service's report about the scripts that created its own database. */
import { dataOf } from '../answers.ts';
import { type Fields, fieldsOf, listOf, numberIn, present, textIn } from '../reading.ts';

export interface ScriptReport {
  /** Whether the database is the service's own. */
  readonly isEmbedded: boolean;
  readonly applied: number;
  /** Scripts that have changed since they were run. */
  readonly changed: readonly string[];
  /** Scripts that no longer exist although they were run. */
  readonly removed: readonly string[];
  /** Scripts that cannot be read, each as a sentence. */
  readonly problems: readonly string[];
  readonly skipped: readonly SkippedStatement[];
}

/** A statement that was left out. */
export interface SkippedStatement {
  readonly script: string;
  readonly line: number;
  readonly statement: string;
  /** `failed`, or the reason why the statement was not tried. */
  readonly reason: string;
  /** The error message of the database. */
  readonly message?: string;
  /** The tables that it would have created or changed: `schema.name`. */
  readonly tables: readonly string[];
}

/** Returns an empty report if no scripts created the database, and undefined if the value is not a report. */
export function readScripts(value: unknown): ScriptReport | undefined {
  const [connection] = listOf(dataOf(value)?.connections);
  if (connection === undefined) return undefined;
  const { embedded, scripts: report } = fieldsOf(connection);
  const scripts = fieldsOf(report);
  return {
    // Version 0.2.0 of the service does not send this field.
    isEmbedded: embedded === true || report !== undefined,
    applied: numberIn(scripts, 'applied') ?? 0,
    changed: textsIn(scripts, 'changed'),
    removed: textsIn(scripts, 'removed'),
    problems: textsIn(scripts, 'problems'),
    skipped: listOf(scripts.skipped).map(readStatement),
  };
}

function readStatement(value: unknown): SkippedStatement {
  const fields = fieldsOf(value);
  return present({
    script: textIn(fields, 'script') ?? '',
    line: numberIn(fields, 'line') ?? 1,
    statement: textIn(fields, 'statement') ?? '',
    reason: textIn(fields, 'reason') ?? '',
    message: textIn(fields, 'message'),
    tables: textsIn(fields, 'tables'),
  });
}

function textsIn(fields: Fields, name: string): readonly string[] {
  return listOf(fields[name]).filter((each) => typeof each === 'string');
}
