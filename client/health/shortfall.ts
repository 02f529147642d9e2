/**
 * Differences from the files of a project, although the service works: missing parts of its source, and
 * changed scripts.
 */

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

/** A part of a script that is not in the database as the file has it. */
export interface ScriptTrouble {
  readonly kind: 'failed' | 'changed' | 'removed' | 'unreadable';
  /** Its path, as the service has it; absent where only a sentence tells. */
  readonly script?: string;
  /** Counted from 1. */
  readonly line?: number;
  readonly sentence: string;
}

/** Statements about no table of the project are left out: policies, roles and similar have no meaning here. */
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
  return { kind: 'failed', script, line, sentence: t('left out, for {0}: {1}', tables.join(', '), why) };
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

/** The worst of it in a few words; undefined if there is nothing. */
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

/** Returns the names of tables, each once: those that were asked for, and those that the service reports on its own. */
function tablesWithout(missing: readonly MissingPart[], tables: readonly TableStatus[]): readonly string[] {
  const told = tables.filter((table) => stateOfTable(table) === 'missing').map(shownName);
  const asked = missing.flatMap(({ table, column }) => (column === undefined ? [table] : []));
  return [...new Set([...told, ...asked])];
}

/** Paragraphs, with the codes under which each is documented. */
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

/** Paragraphs of one kind. A tooltip is short; the view lists all. */
const mostExplained = 5;

/** A service that gives no reason says no more than that the table is not there. */
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
