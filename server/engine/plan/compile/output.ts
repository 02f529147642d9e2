/** Compiles the columns of a query, and finds the one table from which they come. */
import type { SelectColumn, Star } from '../../sql/ast.ts';
import { isAbbreviated } from '../../sql/names.ts';
import type { OutputColumn } from '../plan.ts';
import { type ExpressionPlace, originOf } from './compilation.ts';
import { findRelation } from './names.ts';
import type {
  DependentValue,
  FunctionRelation,
  QueryRelation,
  SubqueryRelation,
  TableRelation,
  Use,
} from './relations.ts';
import { type OpenSelect, outputColumnName } from './select.ts';
import { toValue } from './values.ts';

export interface Output {
  /** Absent for a query without columns, and after a problem. */
  readonly table?: TableRelation;
  readonly columns: readonly OutputColumn[];
}

/** Collects the columns of a query while they are read. */
interface OutputState {
  readonly place: ExpressionPlace;
  table: TableRelation | undefined;
  readonly columns: OutputColumn[];
  /** Whether a column has a problem, so that the table is unknown. */
  broken: boolean;
  /** The aliases since the last star. */
  readonly aliases: string[];
}

export function outputOf({ select, place }: OpenSelect): Output {
  const gathering: OutputState = { place, table: undefined, columns: [], broken: false, aliases: [] };
  for (const column of select.columns) {
    if (column.expr.kind === 'star') addStar(gathering, column.expr);
    else addColumn(gathering, column);
  }
  const { table, columns, broken } = gathering;
  if (!table && !broken && select.columns.length > 0) {
    place.text.report('no-output-table', select.span, {});
  }
  if (table) checkAlias(place, table);
  return { ...(table && { table }), columns };
}

function addColumn(gathering: OutputState, column: SelectColumn): void {
  const { place, columns } = gathering;
  const value = toValue(place, column.expr);
  const name = outputColumnName(place.text, column, true);
  if (column.alias) gathering.aliases.push(column.alias.text);
  if (!takeValue(gathering, value) || !value) return;
  const at = originOf(place.text, column.span);
  columns.push({ kind: 'column', name, value: value.expression, at });
}

/** Returns false after a problem. */
function takeValue(gathering: OutputState, value: DependentValue | undefined): boolean {
  const fits = value?.uses.every((use) => takeUse(gathering, use)) ?? false;
  if (!fits) gathering.broken = true;
  return fits;
}

function takeUse(gathering: OutputState, { of, text, at }: Use): boolean {
  switch (of.kind) {
    case 'request':
      text.reportUse('parameter-in-output', at.span, {});
      return false;
    case 'function':
      text.reportUse('output-from-function', at.span, { name: of.callee });
      return false;
    case 'table':
      gathering.table ??= of;
      if (gathering.table === of) return true;
      text.reportUse('multiple-output-tables', at.span, { table: gathering.table.name });
      return false;
  }
}

function addStar(gathering: OutputState, star: Star): void {
  const { place } = gathering;
  const relation = findRelation(place.c, place.text, place.scope, star, star.table);
  const overridden = gathering.aliases.splice(0);
  if (overridden.some((alias) => mayHave(relation, alias)))
    place.text.report('star-overrides-alias', star.span, {});
  if (relation) addAll(gathering, star, relation);
  else gathering.broken = true;
}

function mayHave(relation: QueryRelation | undefined, column: string): boolean {
  if (relation?.kind !== 'table' || !relation.known) return true;
  return relation.known.some(({ columns }) => columns.has(column));
}

function addAll(gathering: OutputState, star: Star, relation: QueryRelation): void {
  const { place } = gathering;
  switch (relation.kind) {
    case 'broken':
      gathering.broken = true;
      return;
    case 'table':
      addRow(gathering, star, relation);
      return;
    case 'function':
      refuseFunction(gathering, star, relation);
      return;
    case 'subquery':
      addSubquery(gathering, star, relation, place);
  }
}

function addRow(gathering: OutputState, { span }: Star, of: TableRelation): void {
  const { text } = gathering.place;
  const at = originOf(text, span);
  if (takeUse(gathering, { of, text, at })) gathering.columns.push({ kind: 'star', at });
  else gathering.broken = true;
}

function refuseFunction(gathering: OutputState, { span }: Star, { callee }: FunctionRelation): void {
  gathering.place.text.report('output-from-function', span, { name: callee });
  gathering.broken = true;
}

function addSubquery(
  gathering: OutputState,
  { span }: Star,
  { columns, incomplete }: SubqueryRelation,
  { text }: ExpressionPlace,
): void {
  if (incomplete) gathering.broken = true;
  for (const [name, value] of columns) {
    if (!takeValue(gathering, value) || !value) continue;
    gathering.columns.push({ kind: 'column', name, value: value.expression, at: originOf(text, span) });
  }
}

/** Reports an alias that was probably only meant to shorten a join, because it names the table on clients. */
function checkAlias({ scope, text }: ExpressionPlace, { syntax, text: written }: TableRelation): void {
  const { alias, name, nameSpan } = syntax;
  if (!alias || written !== text) return;
  const isDeliberate = name.quoted || (alias.as && alias.name.quoted);
  if (scope.select.from.length > 1 && !isDeliberate)
    text.report('aliased-output-table', nameSpan, { alias: alias.name.text });
  else if (isAbbreviated(syntax))
    text.report('abbreviated-output-table', nameSpan, { alias: alias.name.text, table: name.text });
}
