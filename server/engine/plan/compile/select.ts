/**
 * Opens a SELECT: its FROM becomes a scope of relations, and all its conditions, including those of subqueries in FROM, become a
 * flat list to be read later. Where the conditions apply is not decided here.
 */
import { append } from '../../ground/append.ts';
import type { Cte } from '../../model/definition.ts';
import { declare, type OpenScope, openScope, upToHere } from '../../model/scope.ts';
import type {
  Expr,
  FromItem,
  Name,
  OtherStatement,
  Reference,
  Select,
  SelectColumn,
  Statement,
  Subquery,
  SubquerySource,
  TableSource,
} from '../../sql/ast.ts';
import { checkClauses } from '../clauses.ts';
import { type Compilation, type ExpressionPlace, textOfUsedCte } from './compilation.ts';
import { openFunction } from './expansion.ts';
import { openTable } from './openTable.ts';
import type {
  BrokenRelation,
  CompiledText,
  DependentValue,
  QueryRelation,
  QueryScope,
  SubqueryRelation,
} from './relations.ts';
import { toValue } from './values.ts';

/** A condition, and the place where its names are looked up. All restrictions of a query must be true. */
interface Restriction {
  readonly place: ExpressionPlace;
  readonly expr: Expr;
}

export interface OpenSelect {
  readonly select: Select;
  readonly place: ExpressionPlace;
  readonly restrictions: readonly Restriction[];
}

/** The place of a SELECT: the surrounding place, whose names it can see if it has a parent. */
interface SelectPlace {
  readonly c: Compilation;
  readonly text: CompiledText;
  readonly parent?: QueryScope;
  readonly buried?: ExpressionPlace['buried'];
}

export function openSelect(around: SelectPlace, select: Select): OpenSelect {
  const { c, text, parent, buried } = around;
  const scope: OpenScope<QueryRelation> = openScope<QueryRelation>(select, parent);
  const place: ExpressionPlace = { c, text, scope, ...(buried && { buried }) };
  const restrictions: Restriction[] = [];
  if (text.own) c.selects.push({ text: text.index, select, scope });
  for (const item of select.from) {
    const relation = openItem(place, parent, item, restrictions);
    if (!declare(scope, relation)) reportDuplicate(text, item, relation);
    checkJoin(text, item);
    if (item.join?.on) {
      restrictions.push({ place: { ...place, scope: upToHere(scope) }, expr: item.join.on });
    }
  }
  if (select.where) restrictions.push({ place, expr: select.where });
  checkClauses(text.report, select.refused);
  return { select, place, restrictions };
}

function openItem(
  place: ExpressionPlace,
  parent: QueryScope | undefined,
  { source }: FromItem,
  restrictions: Restriction[],
): QueryRelation {
  switch (source.kind) {
    case 'function':
      return openFunction(place, source);
    case 'subquery':
      return openSubquery(place, parent, source, restrictions);
    case 'table':
      return openNamed(place, source, restrictions);
  }
}

/** Opens a name in FROM. It means a CTE rather than a table, unless it has a schema. */
function openNamed(place: ExpressionPlace, source: TableSource, restrictions: Restriction[]): QueryRelation {
  const cte = source.schema ? undefined : place.text.findCte(source.name.text);
  if (!source.schema && !cte) reportCteInCte(place, source.name);
  return cte ? openCte(place, cte, source, restrictions) : openTable(place, source);
}

/** Reports the name of another CTE inside a CTE, where it would be read as that of a table or column. */
export function reportCteInCte({ c, text }: ExpressionPlace, { text: name, span }: Name): void {
  const cte = text.findOutOfReach(name);
  if (cte && !c.knownTables?.get(c.surroundings.defaultSchema)?.has(name)) {
    text.report('cte-in-cte', span, { name: cte.name });
  }
}

function openCte(
  { c, buried }: ExpressionPlace,
  cte: Cte,
  syntax: TableSource,
  restrictions: Restriction[],
): QueryRelation {
  const name = (syntax.alias?.name ?? syntax.name).text;
  const open = openCteSelect(c, cte, buried);
  if (!open) return { kind: 'broken', name };
  append(restrictions, open.restrictions);
  return { kind: 'subquery', name, syntax, cte, ...namedColumns(open) };
}

/** Returns a new instance of a CTE; undefined if it is not a SELECT. */
function openCteSelect(c: Compilation, cte: Cte, buried: ExpressionPlace['buried']): OpenSelect | undefined {
  const text = textOfUsedCte(c, cte);
  const select = cte.query.sql.statements[0];
  if (select?.kind === 'select') return openSelect({ c, text, buried }, select);
  c.failed = true;
  return undefined;
}

/** Opens a subquery in FROM, which cannot see the other items of that FROM. */
function openSubquery(
  { c, text, buried }: ExpressionPlace,
  parent: QueryScope | undefined,
  syntax: SubquerySource,
  restrictions: Restriction[],
): SubqueryRelation | BrokenRelation {
  const name = syntax.alias?.name.text ?? '';
  const select = selectOf(text, syntax.query);
  if (!select) return { kind: 'broken', name };
  const open = openSelect({ c, text, ...(parent && { parent }), buried }, select);
  append(restrictions, open.restrictions);
  return { kind: 'subquery', name, syntax, ...namedColumns(open, syntax) };
}

/** Advice for statements other than SELECT. */
const statementAlternatives: ReadonlyMap<string, string> = new Map([
  ['UNION', 'Make each SELECT a separate query.'],
  ['WITH', 'Move it to the `with` key of the stream.'],
]);

export function selectOf(text: CompiledText, statement: Statement): Select | undefined {
  if (statement.kind === 'select') return statement;
  reportOther(text, statement);
  return undefined;
}

function reportOther(text: CompiledText, { what, span }: OtherStatement): void {
  const instead = statementAlternatives.get(what);
  text.report('not-a-select', span, { found: what, ...(instead && { instead }) });
}

type NamedColumns = Pick<SubqueryRelation, 'columns' | 'incomplete'>;

/** Returns the columns of a subquery, by their own names or those of an alias list. */
export function namedColumns({ select, place }: OpenSelect, source?: SubquerySource): NamedColumns {
  const { c, text } = place;
  const renamed = source?.alias?.columns;
  const columns = new Map<string, DependentValue | undefined>();
  let incomplete = false;
  for (const [index, column] of select.columns.entries()) {
    if (column.expr.kind === 'star') {
      text.report('star-in-subquery', column.expr.span, {});
      incomplete = true;
      continue;
    }
    const value = toValue(place, column.expr);
    const own = outputColumnName(text, column, !renamed);
    const name = renamed ? renamed[index]?.text : own;
    if (name === undefined) continue;
    if (columns.has(name)) text.report('duplicate-column', column.span, { column: name });
    else columns.set(name, value);
  }
  if (renamed && renamed.length !== select.columns.length && !incomplete) {
    const { span } = source.query;
    text.report('subquery-column-count', span, { listed: renamed.length, columns: select.columns.length });
    for (const { text: name } of renamed) if (!columns.has(name)) columns.set(name, undefined);
  }
  if (incomplete) c.failed = true;
  return { columns, incomplete };
}

/** Returns the alias, the column name, or else the SQL text of the expression, with a warning in the last case. */
export function outputColumnName(text: CompiledText, { alias, expr }: SelectColumn, isUsed: boolean): string {
  if (alias) return alias.text;
  if (expr.kind === 'reference') return expr.column.text;
  const span = expr.outer ?? expr.span;
  if (isUsed && expr.kind !== 'keyword' && expr.kind !== 'unreadable') {
    text.report('unnamed-column', span, {});
  }
  return text.source.sql.text.slice(expr.span.start, expr.span.end);
}

function reportDuplicate(text: CompiledText, { source }: FromItem, { name }: QueryRelation): void {
  const end = source.kind === 'table' && !source.alias?.as ? source.nameSpan.end : source.span.end;
  text.report('duplicate-table-name', { start: source.span.start, end }, { name });
}

function checkJoin(text: CompiledText, { source, join }: FromItem): void {
  if (!join) return;
  const { kind, span, using } = join;
  if (kind !== 'INNER')
    text.report('unsupported-join', { start: span.start, end: source.span.end }, { join: `${kind} JOIN` });
  if (using) text.report('join-using', using, {});
}

/** The subquery next to IN or &&: one value for each row, and the conditions on the rows. */
export interface SetMember {
  readonly column: DependentValue | undefined;
  readonly restrictions: readonly Restriction[];
}

/** Compiles a subquery, which may use the names of the surrounding queries. */
export function subqueryMember(
  { c, text, scope, buried }: ExpressionPlace,
  { query }: Subquery,
): SetMember | undefined {
  if (query.kind !== 'select') {
    text.report('subquery-position', query.span, { instead: 'The subquery must be a single SELECT.' });
    return undefined;
  }
  const open = openSelect({ c, text, parent: scope, buried }, query);
  const [column] = query.columns;
  if (query.columns.length !== 1 || !column || column.expr.kind === 'star') {
    const columns = column?.expr.kind === 'star' ? '*' : `${query.columns.length}`;
    text.report('subquery-single-column', query.span, { columns });
    return undefined;
  }
  return { column: toValue(open.place, column.expr), restrictions: open.restrictions };
}

/** Compiles the short form `IN cte`. */
export function cteMember(
  { c, text, buried }: ExpressionPlace,
  { column: { text: name }, span }: Reference,
): SetMember | undefined {
  const cte = text.findCte(name);
  const open = cte && openCteSelect(c, cte, buried);
  if (!open) return undefined;
  const { columns, incomplete } = namedColumns(open);
  if (incomplete) return undefined;
  if (open.select.columns.length !== 1) {
    text.report('cte-single-column', span, { name: cte.name });
    return undefined;
  }
  return { column: columns.values().next().value, restrictions: open.restrictions };
}
