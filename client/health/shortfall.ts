/** Differences between a working service and the files of a project: missing parts of its source, and changed scripts. */

import { splitPath } from '../../server/shared/uri.ts';
import type { Diagnosis, TableStatus } from '../api/answers.ts';
import { describeMissing, type MissingPart } from '../api/missing.ts';
import type { ScriptReport, SkippedStatement } from '../api/reports/scripts.ts';
import { shownName } from '../api/tableName.ts';
import { t } from '../l10n.ts';
import { stateOfTable } from './tableState.ts';

export interface Shortfall {
  /** The tables and columns that the deployed config reads but the source does not have. */
  readonly missing: readonly MissingPart[];
  /** The scripts of the service's own database. */
  readonly scripts?: ScriptReport;
}

/** A part of a script that differs between the database and the file. */
export interface ScriptTrouble {
  readonly kind: 'failed' | 'changed' | 'removed' | 'unreadable';
  /** The path in the service's notation. Absent if only the sentence describes the script. */
  readonly script?: string;
  /** The line, counted from 1. */
  readonly line?: number;
  readonly sentence: string;
}

/**
 * Returns the problems of the scripts. Skipped statements about policies, roles and similar objects are left out, because they
 * do not affect tables.
 */
export function troublesOf({ skipped, changed, removed, problems }: ScriptReport): readonly ScriptTrouble[] {
  return [
    ...skipped.filter(({ tables }) => tables.length > 0).map(troubleOfStatement),
    ...changed.map(
      (script): ScriptTrouble => ({ kind: 'changed', script, sentence: t('changed after it was applied') }),
    ),
    ...removed.map(
      (script): ScriptTrouble => ({
        kind: 'removed',
        script,
        sentence: t('was applied, but the file is gone'),
      }),
    ),
    ...problems.map((sentence): ScriptTrouble => ({ kind: 'unreadable', sentence })),
  ];
}

function troubleOfStatement({ script, line, message, reason, tables }: SkippedStatement): ScriptTrouble {
  const why = message ?? reason;
  return { kind: 'failed', script, line, sentence: t('left out (affects {0}): {1}', tables.join(', '), why) };
}

/**
 * The scripts that ran between two reports, and their skipped statements. A database that was created again
 * is not news.
 */
export function newsOf(before: ScriptReport | undefined, now: ScriptReport | undefined): readonly string[] {
  if (before === undefined || now === undefined || before.applied === 0) return [];
  const count = now.applied - before.applied;
  if (count <= 0) return [];
  const known = troublesOf(before).map(troubleSentence);
  const sentences = troublesOf(now).map(troubleSentence);
  return [
    count === 1
      ? t('A new migration was applied to the local database.')
      : t('{0} new migrations were applied to the local database.', count),
    ...sentences.filter((sentence) => !known.includes(sentence)),
  ];
}

/** Returns the worst problem in a few words, or undefined if there is none. */
export function shortTrouble({ active }: Diagnosis, shortfall: Shortfall | undefined): string | undefined {
  const { missing = [], scripts } = shortfall ?? {};
  const tables = tablesWithout(missing, active?.tables ?? []);
  const [table] = tables;
  if (table !== undefined)
    return tables.length === 1 ? t('no table {0}', table) : t('{0} tables missing', tables.length);
  const columns = missing.filter(({ column }) => column !== undefined);
  const [column] = columns;
  if (column !== undefined)
    return columns.length === 1
      ? t('no column {0}', `${column.table}.${column.column}`)
      : t('{0} columns missing', columns.length);
  const unreadable = active?.tables.find((each) => stateOfTable(each) === 'unreadable');
  if (unreadable !== undefined) return t('cannot read {0}', shownName(unreadable));
  const unknown = active?.tables.find((each) => stateOfTable(each) === 'unknown');
  if (unknown !== undefined) return t('{0}: state unknown', shownName(unknown));
  const leftOut = active?.tables.find(({ errors }) => errors.some(({ kind }) => kind === 'left out'));
  if (leftOut !== undefined) return t('{0} is incomplete', leftOut.name);
  const troubles = scripts === undefined ? [] : troublesOf(scripts).filter(({ kind }) => kind !== 'failed');
  const [first] = troubles;
  if (first === undefined) return undefined;
  const name = first.script === undefined ? undefined : splitPath(first.script).name;
  return troubles.length === 1 && name !== undefined
    ? `${name} ${first.sentence}`
    : t('migrations changed after they were applied');
}

/** Returns the names of the missing tables that we or the service have found, each once. */
function tablesWithout(missing: readonly MissingPart[], tables: readonly TableStatus[]): readonly string[] {
  const told = tables.filter((table) => stateOfTable(table) === 'missing').map(shownName);
  const asked = missing.flatMap(({ table, column }) => (column === undefined ? [table] : []));
  return [...new Set([...told, ...asked])];
}

/** Returns paragraphs, each with the code under which the problem is documented. */
export function explainTrouble({ active }: Diagnosis, shortfall: Shortfall | undefined): readonly string[] {
  const { missing = [], scripts } = shortfall ?? {};
  const tables = (active?.tables ?? []).filter((table) => !isTold(table, missing));
  const ofTables = tables.flatMap(({ errors }) =>
    errors.map(({ code, message }) => (code === undefined ? message : `${code}: ${message}`)),
  );
  const isLeftOut = tables.some(({ errors }) => errors.some(({ kind }) => kind === 'left out'));
  // The tables report statements that were left out.
  const troubles = (scripts === undefined ? [] : troublesOf(scripts)).filter(
    ({ kind }) => kind !== 'failed' || !isLeftOut,
  );
  return [
    ...missing.slice(0, mostExplained).flatMap((name) => describeMissing([name]).map(withCode(name))),
    ...ofTables,
    ...troubles.slice(0, mostExplained).map(troubleSentence),
  ];
}

/** The maximum number of paragraphs of one kind, because a tooltip is short. The view lists all problems. */
const mostExplained = 5;

/** Whether our own sentence is enough for a table, because the service reports no other reason. */
function isTold({ schema, name, keys, errors }: TableStatus, missing: readonly MissingPart[]): boolean {
  const hasReason = keys.length > 0 || errors.some(({ code }) => code !== undefined);
  return !hasReason && missing.some(({ table }) => table === name || table === `${schema}.${name}`);
}

function withCode({ column }: MissingPart): (sentence: string) => string {
  return (sentence) => `${column === undefined ? 'unknown-table' : 'unknown-column'}: ${sentence}`;
}

export function troubleSentence({ script, line, sentence }: ScriptTrouble): string {
  if (script === undefined) return sentence;
  return `${script}${line === undefined ? '' : `:${line}`} ${sentence}`;
}
