/** The columns of a synced row: the JSON text that clients get, and the row's id. */
import type { OutputColumn } from '../plan.ts';
import { realToText } from '../values/numbers.ts';
import type { SqlValue } from '../values/value.ts';
import { toEvaluator } from './expression.ts';
import { addProperty, closeObject, emptyObject, type Label, labelOf } from './objectText.ts';
import type { EvaluationRules, EvaluationScope, Evaluator } from './scope.ts';

interface Output {
  readonly id: string;
  readonly data: string;
}

export function toOutput(
  columns: readonly OutputColumn[],
  rules: EvaluationRules,
): (scope: EvaluationScope) => Output {
  const only = columns[0];
  if (columns.length === 1 && only?.kind === 'star' && !only.visibleOnly) return wholeRows();
  if (columns.every((column) => column.kind === 'column') && hasDistinctNames(columns)) {
    return namedColumns(columns, rules);
  }
  return mixedColumns(columns, rules);
}

interface Field {
  readonly name: string;
  readonly label: Label;
  readonly value: Evaluator;
  readonly yieldsToStar: boolean;
}

function toField(column: OutputColumn & { kind: 'column' }, rules: EvaluationRules): Field {
  const { name, value, yieldsToStar = false } = column;
  // A plain reference to a column that the row lacks leaves the column out, any other NULL is synced.
  const isPlainColumn = value.kind === 'column' && !rules.sqliteEngine;
  const read = isPlainColumn ? presentColumn(value.name) : toEvaluator(value, rules);
  return { name, label: labelOf(name), value: read, yieldsToStar };
}

function presentColumn(name: string): Evaluator {
  if (name in Object.prototype) return ({ row }) => ownColumn(row, name);
  return ({ row }) => {
    const value = row[name];
    return value === undefined ? absent : value;
  };
}

function ownColumn(row: EvaluationScope['row'], name: string): SqlValue {
  return Object.hasOwn(row, name) ? (row[name] as SqlValue) : absent;
}

/** Blobs are never synced, so an empty one can represent a missing column. */
const absent = new Uint8Array(0);

function hasDistinctNames(columns: readonly (OutputColumn & { kind: 'column' })[]): boolean {
  return new Set(columns.map(({ name }) => name)).size === columns.length;
}

/** The rows of a table mostly have the same columns in the same order. */
function wholeRows(): (scope: EvaluationScope) => Output {
  const known: Label[] = [];
  return ({ row }) => {
    const data = emptyObject();
    let at = 0;
    for (const name in row) {
      if (!Object.hasOwn(row, name)) continue;
      let label = known[at];
      if (label?.name !== name) label = known[at] = labelOf(name);
      at += 1;
      addProperty(data, label, row[name] as SqlValue);
    }
    return { id: idText(row.id ?? null), data: closeObject(data) };
  };
}

function namedColumns(
  columns: readonly (OutputColumn & { kind: 'column' })[],
  rules: EvaluationRules,
): (scope: EvaluationScope) => Output {
  const fields = columns.map((column) => toField(column, rules));
  const idAt = fields.findIndex(({ name }) => name === 'id');
  return (scope) => {
    const data = emptyObject();
    let id: SqlValue = null;
    for (let i = 0; i < fields.length; i += 1) {
      const field = fields[i] as Field;
      const value = field.value(scope);
      if (i === idAt) id = value;
      addProperty(data, field.label, value);
    }
    return { id: idText(id), data: closeObject(data) };
  };
}

/** Later columns overwrite earlier ones of their name, at the place of the first. */
function mixedColumns(
  columns: readonly OutputColumn[],
  rules: EvaluationRules,
): (scope: EvaluationScope) => Output {
  const parts = columns.map((column) => (column.kind === 'star' ? column : toField(column, rules)));
  return (scope) => {
    const values = new Map<string, SqlValue>();
    for (const part of parts) {
      if ('kind' in part) {
        for (const name of Object.keys(scope.row)) {
          if (!(part.visibleOnly && name.startsWith('_'))) values.set(name, scope.row[name] as SqlValue);
        }
      } else {
        const value = part.value(scope);
        if (part.yieldsToStar && (value === null || value === absent)) {
          const own = ownColumn(scope.row, part.name);
          values.set(part.name, own === absent ? value : own);
        } else values.set(part.name, value);
      }
    }
    const data = emptyObject();
    for (const [name, value] of values) addProperty(data, labelOf(name), value);
    return { id: idText(values.get('id') ?? null), data: closeObject(data) };
  };
}

function idText(id: SqlValue): string {
  switch (typeof id) {
    case 'string':
      return id;
    case 'bigint':
      return id.toString();
    case 'number':
      return realToText(id);
    default:
      return '';
  }
}
