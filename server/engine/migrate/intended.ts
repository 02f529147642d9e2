/**
 * Migrates bucket definitions whose queries join tables or have subqueries. Only streams support such queries, so such a definition
 * has no plan. Its queries are rewritten text by text as the intended stream.
 */
import type { BucketDefinition, SqlText } from '../model/definition.ts';
import type { Expr, Reference, Select, SelectColumn } from '../sql/ast.ts';
import { atomsOf } from '../sql/layout/atoms.ts';
import { unusedName } from '../sql/names.ts';
import { expressionsIn, selectsIn } from '../sql/walk.ts';
import { applyEdits, type Edit, shiftEdits } from '../text/edit.ts';
import { isPartOf, type Span, span } from '../text/span.ts';
import { type Names, parameterText } from './expressions.ts';
import type { QueryWorld } from './parts.ts';
import { type StreamText, shareSubqueries } from './stream.ts';

/** Whether the definition has queries that only streams support. */
export function isMeantAsStream({ parameters = [], parametersUnreadable, data }: BucketDefinition): boolean {
  const selects = [...parameters, ...data].map(selectOf);
  return (
    !parametersUnreadable && selects.every((select) => select !== undefined) && selects.some(needsStream)
  );
}

function selectOf({ sql: { statements, problems } }: SqlText): Select | undefined {
  const [statement, second] = statements;
  const isOne = problems.length === 0 && second === undefined;
  return isOne && statement?.kind === 'select' ? statement : undefined;
}

function needsStream(select: Select): boolean {
  return select.from.length > 1 || selectsIn(select).length > 1;
}

interface Source {
  /** The text of the query, with spaces in place of comments. */
  readonly text: string;
  readonly select: Select;
}

/** Reads a query of a definition for which {@link isMeantAsStream} is true. */
function querySource(source: SqlText): Source {
  const { text } = source.sql;
  const comments = atomsOf(text).filter(({ kind }) => kind === 'comment' || kind === 'line comment');
  const blanks = comments.map(({ start, end }) => ({
    span: span(start, end),
    text: ' '.repeat(end - start),
  }));
  return { text: applyEdits(text, blanks), select: selectOf(source) as Select };
}

export function intendedStream(definition: BucketDefinition, names: Names): StreamText {
  const data = definition.data.map(querySource);
  const words = new Set(data.flatMap(({ text }) => text.toLowerCase().match(/\w+/g) ?? []));
  const given = (definition.parameters ?? []).map((text): Parameters => {
    const cte = unusedName('params', (name) => words.has(name));
    words.add(cte);
    return readParameters(querySource(text), cte, names);
  });
  const { ctes, queries } = shareSubqueries((share) =>
    (given.length === 0 ? [noParameters] : given).flatMap((each) =>
      data.map((source) => dataQuery(source, each, { names, share })),
    ),
  );
  return {
    name: definition.name,
    autoSubscribe: true,
    priority: definition.priority ?? 3,
    acceptDangerous: definition.acceptDangerous,
    ctes: [...ctes, ...given.filter(isJoined).map(({ cte, query }) => [cte, query] as const)],
    queries,
  };
}

/** The meaning of `bucket.…` in data queries: values of the request, or columns of rows. */
type Parameters =
  | { readonly kind: 'values'; readonly values: ReadonlyMap<string, string>; readonly condition?: string }
  | RowParameters;

interface RowParameters {
  /** Several values of a row must stay together, so they need a join. A single value can be found by a subquery. */
  readonly kind: 'joined rows' | 'rows';
  readonly query: string;
  /** The name of the joined CTE. */
  readonly cte: string;
}

const noParameters: Parameters = { kind: 'values', values: new Map() };

function isJoined(given: Parameters): given is RowParameters & { readonly kind: 'joined rows' } {
  return given.kind === 'joined rows';
}

function readParameters({ text, select }: Source, cte: string, names: Names): Parameters {
  const { columns, from, where } = select;
  const edits = requestEdits(select, names);
  if (columns.some((column) => nameOf(column) === '_priority'))
    names.refuse('Its `_priority` cannot be kept together with a join or a subquery.');
  const named = columns.map(
    (column) => nameOf(column) ?? names.refuse('A column of its parameter query has no name.'),
  );
  if (from.length > 0)
    return {
      kind: columns.length > 1 ? 'joined rows' : 'rows',
      query: textIn(text, select.span, edits),
      cte,
    };
  return {
    kind: 'values',
    values: new Map(
      columns.map(({ expr }, index) => [named[index] ?? '', enclose(text, expr, edits, isOperation)]),
    ),
    ...(where && { condition: enclose(text, where, edits, isDisjunction) }),
  };
}

function nameOf({ alias, expr }: SelectColumn): string | undefined {
  return alias?.text ?? (expr.kind === 'reference' ? expr.column.text : undefined);
}

interface DataWish {
  readonly names: Names;
  readonly share: QueryWorld['share'];
}

function dataQuery({ text, select }: Source, given: Parameters, { names, share }: DataWish): string {
  const edits = [
    ...requestEdits(select, names),
    ...bucketEdits({ text, select }, given, { names, share }),
    ...(isJoined(given) ? qualifyingEdits(select, text, names) : []),
  ];
  const { where } = select;
  const end = span(endOfFrom(select), endOfFrom(select));
  const append = (more: string): string => textIn(text, select.span, [...edits, { span: end, text: more }]);
  if (isJoined(given)) return append(`, ${given.cte}`);
  const condition = given.kind === 'values' ? given.condition : undefined;
  if (condition === undefined) return textIn(text, select.span, edits);
  if (where === undefined) return append(` WHERE ${condition}`);
  const both = `${enclose(text, where, edits, isDisjunction)} AND ${condition}`;
  return textIn(text, select.span, [...edits, { span: where.outer ?? where.span, text: both }]);
}

/** Returns the end of the last table in FROM, or of its condition. */
function endOfFrom({ from, span: all }: Select): number {
  const last = from.at(-1);
  const on = last?.join?.on;
  return on ? (on.outer ?? on.span).end : (last?.join?.using?.end ?? last?.source.span.end ?? all.end);
}

/** Replaces each bucket parameter with its value. */
function bucketEdits({ text, select }: Source, given: Parameters, { names, share }: DataWish): Edit[] {
  const all = allExpressions(select);
  const parameters = all.filter(isOfBucket);
  // A query without a bucket parameter would not restrict these rows to the user.
  if (parameters.length === 0 && (given.kind !== 'values' || given.values.size > 0))
    names.refuse('One of its data queries does not use any bucket parameter.');
  if (given.kind === 'values')
    return parameters.map(({ span: at, column }) => ({
      span: at,
      text:
        given.values.get(column.text) ??
        names.refuse(`No parameter query selects \`bucket.${column.text}\`.`),
    }));
  if (isJoined(given))
    return parameters.map(({ span: at, column }) => ({
      span: at,
      text: `${given.cte}.${text.slice(column.span.start, column.span.end)}`,
    }));
  const inside = requestEdits(select, names);
  const edits = all.flatMap((expr) => {
    const other = comparedWith(expr);
    if (other === undefined) return [];
    const left = textIn(text, other.outer ?? other.span, inside);
    return [
      { span: expr.span, text: `${left} ${expr.kind === 'in' ? '&&' : 'IN'} ${share(`(${given.query})`)}` },
    ];
  });
  const isElsewhere = parameters.some(
    (parameter) => !edits.some((edit) => isPartOf(parameter.span, edit.span)),
  );
  if (isElsewhere) names.refuse('It uses a bucket parameter in a condition other than = or IN.');
  return edits;
}

/** Returns the other side of a comparison with a bucket parameter. */
function comparedWith(expr: Expr): Expr | undefined {
  if (expr.kind === 'in') return isOfBucket(expr.left) && !expr.negated ? expr.right : undefined;
  if (expr.kind !== 'binary' || expr.op !== '=') return undefined;
  if (isOfBucket(expr.left)) return expr.right;
  return isOfBucket(expr.right) ? expr.left : undefined;
}

function isOfBucket(expr: Expr): expr is Reference {
  return expr.kind === 'reference' && expr.table?.text === 'bucket';
}

/** Adds the name of the table to columns, because the joined parameters may have columns with the same names. */
function qualifyingEdits(select: Select, text: string, { refuse }: Names): Edit[] {
  const bare = expressionsIn(select).filter(
    (expr) => (expr.kind === 'reference' || expr.kind === 'star') && expr.table === undefined,
  );
  const [first, second] = select.from;
  if (bare.length === 0 || first?.source.kind !== 'table') return [];
  if (second) refuse('It joins tables, but some of its columns are written without the name of their table.');
  const { alias, name } = first.source;
  const at = (alias?.name ?? name).span;
  const table = text.slice(at.start, at.end);
  return bare.map(({ span: { start } }) => ({ span: span(start, start), text: `${table}.` }));
}

/** Replaces functions and tables that contain the request with those of streams. */
function requestEdits(select: Select, names: Names): Edit[] {
  return allExpressions(select).flatMap((expr) => {
    const written = requestValue(expr, names);
    return written === undefined ? [] : [{ span: expr.span, text: written }];
  });
}

const functionsOfRequest = new Map([
  ['jwt', 'auth'],
  ['parameters', 'connection'],
] as const);

function requestValue(expr: Expr, names: Names): string | undefined {
  if (expr.kind === 'reference') {
    const { table, column } = expr;
    if (table?.text === 'user_parameters') return parameterText(names, 'connection', column.text);
    if (table?.text !== 'token_parameters') return undefined;
    return parameterText(names, 'auth', column.text === 'user_id' ? 'sub' : column.text);
  }
  if (expr.kind === 'member') {
    const part = partOf(expr.operand);
    const { value } = expr.key;
    return part && expr.op === '->>' && value.type === 'text'
      ? parameterText(names, part, value.value)
      : undefined;
  }
  if (expr.kind === 'call' && expr.schema?.text === 'request' && expr.name.text === 'user_id')
    return 'auth.user_id()';
  const part = partOf(expr);
  return part && `${part}.parameters()`;
}

function partOf(expr: Expr): 'auth' | 'connection' | undefined {
  if (expr.kind !== 'call' || expr.schema?.text !== 'request') return undefined;
  return functionsOfRequest.get(expr.name.text as 'jwt' | 'parameters');
}

/** Returns the expressions of the query and of its subqueries. */
function allExpressions(select: Select): readonly Expr[] {
  return selectsIn(select).flatMap(expressionsIn);
}

function isDisjunction(expr: Expr): boolean {
  return expr.kind === 'binary' && expr.op === 'OR';
}

function isOperation({ kind }: Expr): boolean {
  return ['binary', 'unary', 'in', 'is', 'between'].includes(kind);
}

/** Returns the text of the expression, in parentheses if an operator after it could bind more tightly. */
function enclose(text: string, expr: Expr, edits: readonly Edit[], isLoose: (expr: Expr) => boolean): string {
  const written = textIn(text, expr.span, edits);
  return isLoose(expr) ? `(${written})` : written;
}

/** Returns a part of the text with the edits inside it. An edit inside another edit is left out. */
function textIn(text: string, at: Span, edits: readonly Edit[]): string {
  const inside = edits.filter((edit) => isPartOf(edit.span, at));
  const outermost = inside.filter(
    (edit) => !inside.some((other) => other !== edit && isPartOf(edit.span, other.span)),
  );
  return applyEdits(text.slice(at.start, at.end), shiftEdits(outermost, -at.start));
}
