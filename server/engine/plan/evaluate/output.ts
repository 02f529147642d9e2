/** The columns of a synced row: the JSON text that clients get, and the row's id. */
import type { OutputColumn } from '../plan.ts';
import { quoteJson, writeReal } from '../values/json.ts';
import { realToText } from '../values/numbers.ts';
import type { SqlValue } from '../values/value.ts';
import { toEvaluator } from './expression.ts';
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
  if (columns.length === 1 && only?.kind === 'star' && !only.visibleOnly) return wholeRow;
  if (columns.every((column) => column.kind === 'column') && hasDistinctNames(columns)) {
    return namedColumns(columns, rules);
  }
  return mixedColumns(columns, rules);
}

interface Field {
  readonly name: string;
  /** `,"name":` */
  readonly label: string;
  readonly value: Evaluator;
  readonly yieldsToStar: boolean;
}

function toField(column: OutputColumn & { kind: 'column' }, rules: EvaluationRules): Field {
  const { name, value, yieldsToStar = false } = column;
  // A plain reference to a column that the row lacks leaves the column out, any other NULL is synced.
  const isPlain = value.kind === 'column' && !rules.sqliteEngine;
  const read = isPlain ? presentColumn(value.name) : toEvaluator(value, rules);
  return { name, label: `,${JSON.stringify(name)}:`, value: read, yieldsToStar };
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

function wholeRow({ row }: EvaluationScope): Output {
  let data = '{';
  for (const name in row) {
    if (!Object.hasOwn(row, name)) continue;
    data = append(data, labelOf(name), row[name] as SqlValue);
  }
  return { id: idText(row.id ?? null), data: `${data}}` };
}

function namedColumns(
  columns: readonly (OutputColumn & { kind: 'column' })[],
  rules: EvaluationRules,
): (scope: EvaluationScope) => Output {
  const fields = columns.map((column) => toField(column, rules));
  return (scope) => {
    let data = '{';
    let id: SqlValue = null;
    for (const field of fields) {
      const value = field.value(scope);
      if (field.name === 'id') id = value;
      data = append(data, field.label, value);
    }
    return { id: idText(id), data: `${data}}` };
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
    let data = '{';
    for (const [name, value] of values) data = append(data, labelOf(name), value);
    return { id: idText(values.get('id') ?? null), data: `${data}}` };
  };
}

function append(data: string, label: string, value: SqlValue): string {
  // A blob, or a column that the row does not have.
  if (typeof value === 'object' && value !== null) return data;
  const head = data + (data.length > 1 ? label : label.slice(1));
  switch (typeof value) {
    case 'string':
      return head + quoteJson(value);
    case 'bigint':
      return `${head}${value}`;
    case 'number':
      return head + writeReal(value);
    default:
      return `${head}null`;
  }
}

const labels = new Map<string, string>();
/** Rows of a source have few column names; the bound is against one that invents new ones forever. */
const mostLabels = 10_000;

function labelOf(name: string): string {
  const known = labels.get(name);
  if (known !== undefined) return known;
  if (labels.size >= mostLabels) labels.clear();
  const label = `,${JSON.stringify(name)}:`;
  labels.set(name, label);
  return label;
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
