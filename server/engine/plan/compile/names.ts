/** Resolves columns, stars and row metadata in expressions, and returns their values. */
import { findItem, innermost, onlyItem, visibleNames } from '../../model/scope.ts';
import type { FunctionCall, Name, Reference, Select, Star } from '../../sql/ast.ts';
import { metadataFunctions, tableFunctions } from '../../sql/functions.ts';
import { nearest } from '../../text/nearest.ts';
import type { Span } from '../../text/span.ts';
import type { Metadata } from '../expression.ts';
import { type Compilation, leaf, originOf } from './compilation.ts';
import { textMeant } from './quotes.ts';
import type {
  CompiledText,
  DependentValue,
  QueryRelation,
  QueryScope,
  SubqueryRelation,
  TableRelation,
} from './relations.ts';

/** Returns the value of a column; undefined after a problem. */
export function resolveReference(
  c: Compilation,
  text: CompiledText,
  scope: QueryScope,
  node: Reference,
): DependentValue | undefined {
  const relation = findRelation(c, text, scope, node, node.table);
  if (!relation) return undefined;
  const { column, span } = node;
  switch (relation.kind) {
    case 'broken':
      return undefined;
    case 'table':
      checkColumn(c, text, relation, column, span);
      return leaf(
        { kind: 'column', name: column.text, at: originOf(text, span) },
        { of: relation, text, at: originOf(text, span) },
      );
    case 'function':
      checkFunctionColumn(text, relation.callee, column, span);
      return leaf(
        { kind: 'element', expansion: relation.id, name: column.text, at: originOf(text, span) },
        { of: relation, text, at: originOf(text, span) },
      );
    case 'subquery':
      return subqueryColumn(text, relation, column, span);
  }
}

/** Returns the item to which a column or star belongs; undefined after a problem. */
export function findRelation(
  c: Compilation,
  text: CompiledText,
  scope: QueryScope,
  node: Reference | Star,
  qualifier: Name | undefined,
): QueryRelation | undefined {
  const relation = qualifier ? findItem(scope, qualifier.text) : onlyItem(scope);
  if (relation) {
    if (text.own) c.resolutions.push({ text: text.index, node, relation });
    return relation;
  }
  const instead = qualifier && requestAlternative(node, qualifier);
  const { select } = innermost(scope);
  if (select.from.length === 0 && !instead) reportWithoutFrom(c, text, select, node.span);
  else if (qualifier) {
    text.report('table-not-in-from', node.span, {
      table: qualifier.text,
      ...(instead ? { instead } : { near: tableMeant(qualifier.text, visibleNames(scope)) }),
    });
  } else if (!innermost(scope).items.some(({ kind }) => kind === 'broken')) {
    const meant = textMeant(text, node.span);
    const column = node.kind === 'star' ? '*' : node.column.text;
    text.report('ambiguous-reference', node.span, { column, ...(meant && { instead: meant }) });
  } else c.failed = true;
  return undefined;
}

/** Returns the only table of the query as the intended one, whatever its name, if the written name is as short as an alias. */
function tableMeant(written: string, names: readonly string[]): string | undefined {
  const isAlias = written.length <= longestAlias && names.length === 1;
  return isAlias ? names[0] : nearest(written, names);
}

/** The maximum length of a name that counts as an alias. */
const longestAlias = 2;

/** Reports a SELECT without FROM. Nothing in it has a meaning then, so a single error is enough. */
function reportWithoutFrom(c: Compilation, text: CompiledText, select: Select, at: Span): void {
  c.failed = true;
  if (c.withoutFrom.has(select)) return;
  c.withoutFrom.add(select);
  // FROM belongs after the last column. A half-typed FROM looks like that column's alias.
  const last = select.columns.at(-1);
  text.report('ambiguous-reference', last?.alias?.span ?? last?.expr.span ?? at, {});
}

/**
 * Returns the intended name, if a table that means the request in other queries, or a function without parentheses, is written as a
 * column.
 */
function requestAlternative(node: Reference | Star, { text: table }: Name): string | undefined {
  const name = node.kind === 'star' ? undefined : node.column.text;
  const schema = table === 'parameters' && node.schema ? node.schema.text : table;
  switch (schema) {
    case 'auth':
    case 'connection':
    case 'subscription':
      if (name === 'user_id') return 'Write auth.user_id().';
      return `Write ${schema}.parameter('${name === undefined || name === 'parameter' ? '…' : name}').`;
    case 'token_parameters':
      return name === 'user_id'
        ? 'Write auth.user_id().'
        : `Write auth.parameter('parameters') ->> '${name ?? '…'}'.`;
    case 'user_parameters':
      return `Write connection.parameter('${name ?? '…'}').`;
    case 'bucket':
      return 'Streams have no bucket parameters: compare with the value itself, such as auth.user_id().';
    default:
      return undefined;
  }
}

function checkColumn(
  { surroundings: { catalog } }: Compilation,
  text: CompiledText,
  { known, name }: TableRelation,
  column: Name,
  span: Span,
): void {
  if (!known || catalog?.open || known.some(({ columns }) => columns.has(column.text))) return;
  const [table] = known;
  const near = nearest(column.text, table?.columns ?? []) ?? nearest(column.text, text.findCte.names);
  const instead = near === undefined ? textMeant(text, span) : undefined;
  text.report('unknown-column', span, {
    // The message names the table itself, because an alias is known only in this query.
    table: known.length === 1 && table ? table.name : name,
    column: column.text,
    from: catalog?.from,
    near,
    ...(instead && { instead }),
  });
}

function checkFunctionColumn(text: CompiledText, callee: string, column: Name, span: Span): void {
  const columns = tableFunctions.get(callee)?.columns;
  if (!columns || columns.includes(column.text)) return;
  text.report('unknown-function-column', span, {
    name: callee,
    column: column.text,
    near: nearest(column.text, columns),
  });
}

function subqueryColumn(
  text: CompiledText,
  { name, columns, incomplete }: SubqueryRelation,
  column: Name,
  span: Span,
): DependentValue | undefined {
  if (columns.has(column.text) || incomplete) return columns.get(column.text);
  text.report('unknown-subquery-column', span, {
    query: name,
    column: column.text,
    near: nearest(column.text, columns),
  });
  return undefined;
}

/** Compiles calls such as `t.schema()`. Returns undefined if no table of the query has the name, or after a problem. */
export function resolveMetadata(
  c: Compilation,
  text: CompiledText,
  scope: QueryScope,
  node: FunctionCall,
  qualifier: Name,
): DependentValue | undefined {
  const name = node.name.text.toLowerCase();
  const relation = findItem(scope, qualifier.text);
  const isMetadata = metadataFunctions.has(name);
  if (!isMetadata) {
    reportUnknownSchema(text, scope, node, qualifier);
    return undefined;
  }
  if (!relation) {
    text.report('table-not-in-from', node.span, {
      table: qualifier.text,
      near: tableMeant(qualifier.text, visibleNames(scope)),
    });
    return undefined;
  }
  if (text.own) c.resolutions.push({ text: text.index, node, relation });
  if (relation.kind === 'broken') return undefined;
  if (relation.kind !== 'table') {
    text.report('metadata-on-subquery', node.nameSpan, {});
    return undefined;
  }
  if (node.args.length > 0) {
    text.report('wrong-argument-count', node.nameSpan, {
      name: `${qualifier.text}.${name}`,
      expected: 'no argument',
      found: node.args.length,
    });
  }
  if (name === 'table_suffix' && !relation.pattern.name.wildcard) {
    text.report('table-suffix-always-empty', node.nameSpan, { table: relation.name });
  }
  const at = originOf(text, node.span);
  return leaf({ kind: 'metadata', what: name as Metadata['what'], at }, { of: relation, text, at });
}

/** Advice for functions of bucket definitions, which have other names in streams. */
const schemaAlternatives: ReadonlyMap<string, string> = new Map([
  ['request.user_id', 'Write auth.user_id().'],
  ['request.jwt', 'Write auth.parameters().'],
  ['request.parameters', 'Write connection.parameters().'],
  ['request.parameter', "Write connection.parameter('…')."],
  ['request', "Write auth.parameter('…') for a claim of the token, or connection.parameter('…')."],
  ['stream.parameter', "Write subscription.parameter('…')."],
  ['stream.parameters', 'Write subscription.parameters().'],
]);

function reportUnknownSchema(
  text: CompiledText,
  scope: QueryScope,
  node: FunctionCall,
  qualifier: Name,
): void {
  const name = node.name.text.toLowerCase();
  const instead =
    schemaAlternatives.get(`${qualifier.text}.${name}`) ?? schemaAlternatives.get(qualifier.text);
  const isTable = findItem(scope, qualifier.text) !== undefined;
  text.report('unknown-function-schema', node.nameSpan, {
    schema: qualifier.text,
    ...(instead && { instead }),
    ...(isTable && { ofTable: name }),
    near: nearest(qualifier.text, ['auth', 'connection', 'subscription', ...visibleNames(scope)]),
  });
}
