/** The problems that a service reports, together with its differences from the files of a project: one list for all surfaces. */

import { splitPath } from '../../server/shared/uri.ts';
import type { Deployment, Diagnosis, ReportedError, TableStatus } from '../api/answers.ts';
import { type MissingPart, sentencesAbout } from '../api/missing.ts';
import type { ScriptReport, SkippedStatement } from '../api/reports/scripts.ts';
import { shownName } from '../api/tableName.ts';
import { t } from '../l10n.ts';
import { age } from './amounts.ts';
import { distinct, isCurrent, isHeard, ownErrorsOf, silencesIn } from './health.ts';
import { isIncomplete, stateOfTable } from './tableState.ts';

export interface Problem extends Pick<ReportedError, 'level' | 'message' | 'kind' | 'location'> {
  /** A few words that name the state of the whole service. */
  readonly short?: string | undefined;
}

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
  /** The path with the line, if it is known. */
  readonly place?: string;
  /** The line, counted from 1. */
  readonly line?: number;
  readonly sentence: string;
}

/**
 * Returns the problems of the scripts. Skipped statements about policies, roles and similar objects are left out, because they
 * do not affect tables.
 */
export function troublesOf({ skipped, changed, removed, problems }: ScriptReport): readonly ScriptTrouble[] {
  const ofScripts = (kind: ScriptTrouble['kind'], scripts: readonly string[], sentence: string) =>
    scripts.map((script) => ({ kind, script, place: script, sentence }));
  return [
    ...skipped.filter(({ tables }) => tables.length > 0).map(troubleOfStatement),
    ...ofScripts('changed', changed, t('changed after it was applied')),
    ...ofScripts('removed', removed, t('was applied, but the file is gone')),
    ...problems.map((sentence) => ({ kind: 'unreadable', sentence }) as const),
  ];
}

function troubleOfStatement({ script, line, message, reason, tables }: SkippedStatement): ScriptTrouble {
  const why = message ?? reason;
  const sentence = t('left out (affects {0}): {1}', tables.join(', '), why);
  return { kind: 'failed', script, line, place: `${script}:${line}`, sentence };
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

/** Returns the current problems, each once. The first ones can name the state of the service. */
export function listProblems(
  diagnosis: Diagnosis,
  { missing, scripts }: Shortfall = { missing: [] },
): readonly Problem[] {
  const ofSources = diagnosis.sources.flatMap(({ errors }) => errors);
  // The problems of tables only repeat that a source does not answer, or are out of date.
  if (!isHeard(diagnosis)) return distinct([...ofSources, ...silencesIn(diagnosis)]);
  const configs = [diagnosis.active ?? [], diagnosis.pending ?? []].flat();
  const tables = configs.flatMap((config) => config.tables);
  // Our own sentence about a table is enough, unless the service reports another reason.
  const told = tables.filter((table) => isTold(table, missing)).flatMap(({ errors }) => errors);
  const isLeftOut = tables.some(({ errors }) => errors.some(({ kind }) => kind === 'left out'));
  const troubles = scripts === undefined ? [] : troublesOf(scripts);
  const problems = distinct([
    ...missing.map(problemOfMissing),
    ...tables.flatMap(problemsOfTable),
    // The tables report statements that were left out.
    ...troubles.filter(({ kind }) => kind !== 'failed' || !isLeftOut).map(problemOfScript),
    ...ofSources.filter(({ kind }) => kind !== 'scripts' || scripts === undefined),
    ...configs.flatMap(currentErrorsOf),
  ]).filter(({ message }) => told.every((error) => error.message !== message));
  return problems.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** Whether the problem is a warning about the text of a config. It says nothing about the state of the service. */
export function isAboutText({ level, location }: Problem): boolean {
  return level === 'warning' && location !== undefined;
}

function rankOf({ short }: Problem): number {
  return short === undefined ? 1 : 0;
}

/**
 * Returns a sentence if there was progress after the error. An error about silence has none, because the state contains the age of
 * the last progress.
 */
export function describePast(error: ReportedError, deployed: Deployment, now: number): string | undefined {
  const { at, kind, message } = error;
  if (at === undefined || kind === 'silence' || isCurrent(error, deployed)) return undefined;
  return t('{0} ago, with progress since then: {1}', age(now - at), message);
}

export function currentErrorsOf(deployed: Deployment): readonly ReportedError[] {
  return ownErrorsOf(deployed).filter((error) => isCurrent(error, deployed));
}

function isTold({ schema, name, keys, errors }: TableStatus, missing: readonly MissingPart[]): boolean {
  const hasReason = keys.length > 0 || errors.some(({ code }) => code !== undefined);
  return !hasReason && missing.some(({ table }) => table === name || table === `${schema}.${name}`);
}

/** Each problem of a table or column has the code under which it is documented. */
function problemOfMissing(part: MissingPart): Problem {
  const { table, column } = part;
  const [sentence = ''] = sentencesAbout([part]);
  return {
    level: 'warning',
    kind: 'missing',
    ...(column === undefined
      ? { message: `unknown-table: ${sentence}`, short: t('no table {0}', table) }
      : { message: `unknown-column: ${sentence}`, short: t('no column {0}', `${table}.${column}`) }),
  };
}

function problemsOfTable(table: TableStatus): readonly Problem[] {
  const short = shortStateOf(table);
  return table.errors.map((error) => ({
    ...error,
    message: error.code === undefined ? error.message : `${error.code}: ${error.message}`,
    short,
  }));
}

function shortStateOf(table: TableStatus): string | undefined {
  const name = shownName(table);
  switch (stateOfTable(table)) {
    case 'missing':
      return t('no table {0}', name);
    case 'unreadable':
      return t('cannot read {0}', name);
    case 'unknown':
      return t('{0}: state unknown', name);
    case 'copied':
    case 'copying':
      return isIncomplete(table) ? t('{0} is incomplete', name) : undefined;
  }
}

function problemOfScript(trouble: ScriptTrouble): Problem {
  const { kind, script, sentence } = trouble;
  const short =
    script === undefined || kind === 'failed' ? undefined : `${splitPath(script).name} ${sentence}`;
  return { level: 'warning', kind: 'scripts', message: troubleSentence(trouble), short };
}

export function troubleSentence({ place, sentence }: ScriptTrouble): string {
  return place === undefined ? sentence : `${place} ${sentence}`;
}
