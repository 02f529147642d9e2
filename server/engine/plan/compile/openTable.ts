/** Resolves table names in FROM: the tables and the connection to which they refer. */
import type { TableSource } from '../../sql/ast.ts';
import { nearest } from '../../text/nearest.ts';
import type { TablePattern } from '../plan.ts';
import {
  areFullyKnown,
  defaultTag,
  type KnownTables,
  matchingEntries,
  matchingTables,
  namePattern,
  nearestTable,
  rowlessForm,
  tableSpan,
  writtenName,
} from '../tablePatterns.ts';
import type { Compilation, ExpressionPlace } from './compilation.ts';
import type { CompiledText, TableRelation } from './relations.ts';

/** Returns a new instance of the table of a FROM item, and checks its schema and name. */
export function openTable({ c, text, buried }: ExpressionPlace, syntax: TableSource): TableRelation {
  const pattern = patternOf(c, text, syntax);
  const known = c.knownTables && matchingTables(c.knownTables, pattern);
  const form = known && rowlessForm(known);
  if (c.knownTables && known?.length === 0) reportUnknown(c, c.knownTables, text, syntax, pattern);
  else if (form !== undefined)
    text.report('unknown-table', tableSpan(syntax), { table: writtenName(syntax), form });
  return {
    kind: 'table',
    id: c.nextId++,
    name: (syntax.alias?.name ?? syntax.name).text,
    syntax,
    text,
    pattern,
    ...(known && areFullyKnown(known) && { known }),
    ...(buried && { buried }),
  };
}

function patternOf(c: Compilation, text: CompiledText, { schema, name }: TableSource): TablePattern {
  const parts = schema?.text.split('.') ?? [c.surroundings.defaultSchema];
  if (schema && parts.length > 2) text.report('invalid-schema-name', schema.span, { schema: schema.text });
  if (schema && parts.length === 2 && parts[0] !== defaultTag) {
    text.report('connection-tag-ignored', schema.span, { tag: parts[0] ?? '' });
  }
  return { tag: defaultTag, schema: namePattern(parts.at(-1) ?? ''), name: namePattern(name.text) };
}

function reportUnknown(
  { surroundings: { catalog } }: Compilation,
  known: KnownTables,
  text: CompiledText,
  syntax: TableSource,
  pattern: TablePattern,
): void {
  if (catalog?.open) return;
  const { schema, name } = syntax;
  const from = catalog?.from;
  const schemas = matchingEntries(known, pattern.schema);
  const nearSchema = schemas.length === 0 ? nearest(pattern.schema.text, known) : undefined;
  if (schema && nearSchema !== undefined) {
    text.report('unknown-schema', schema.span, { schema: schema.text, from, near: nearSchema });
    return;
  }
  const near = nearestTable(schemas, name.text);
  text.report('unknown-table', tableSpan(syntax), {
    table: writtenName(syntax),
    from,
    near: near ?? elsewhere(known, name.text),
  });
}

/** Returns a table with this name in another schema, including the schema. */
function elsewhere(known: KnownTables, name: string): string | undefined {
  for (const [schema, tables] of known) if (tables.has(name)) return `${schema}.${name}`;
  return undefined;
}
