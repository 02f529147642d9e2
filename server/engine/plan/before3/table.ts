/** Reads the only table of a query. */
import type { Report } from '../../diagnostics/diagnostics.ts';
import type { Catalog, CatalogTable } from '../../model/catalog.ts';
import type { ConfigSurroundings } from '../../model/definition.ts';
import type { TableSource } from '../../sql/ast.ts';
import type { NamePattern, TablePattern } from '../plan.ts';
import {
  areFullyKnown,
  indexTables,
  matchingEntries,
  matchingTables,
  nearestTable,
  rowlessForm,
  tableSpan,
  writtenName,
} from '../tablePatterns.ts';
import { checkCapitals, type QueryPlace } from './place.ts';

export interface QueryTable {
  readonly syntax: TableSource;
  readonly pattern: TablePattern;
  /** The alias or name, which qualifies the table's columns. */
  readonly name: string;
  /** The matching tables of the catalog; absent without a catalog. */
  readonly known?: readonly CatalogTable[];
}

export function openQueryTable(place: QueryPlace, syntax: TableSource): QueryTable {
  const { surroundings, report } = place;
  const { catalog } = surroundings;
  const { name, alias } = syntax;
  const pattern = patternOf(surroundings, report, syntax);
  const known = catalog && knownTables(catalog, pattern);
  const form = known && rowlessForm(known);
  if (catalog && known?.length === 0) reportUnknown(catalog, report, syntax, pattern);
  else if (form !== undefined)
    report('unknown-table', tableSpan(syntax), { table: writtenName(syntax), form });
  if (!alias) checkCapitals(place, name);
  return {
    syntax,
    pattern,
    name: (alias?.name ?? name).text,
    ...(known && areFullyKnown(known) && { known }),
  };
}

/** Returns the name of the table on clients. Absent for a wildcard, because each row has the name of its own table. */
export function outputNameOf({ syntax, pattern, name }: QueryTable): { readonly outputTable?: string } {
  return syntax.alias || !pattern.name.wildcard ? { outputTable: name } : {};
}

const defaultTag = 'default';

/** Returns the pattern of a table. A schema of two words also names the connection: `"east.public".boats`. */
function patternOf(
  { defaultSchema }: ConfigSurroundings,
  report: Report,
  { schema, name }: TableSource,
): TablePattern {
  const parts = schema?.text.split('.') ?? [defaultSchema];
  if (schema && parts.length > 2) report('invalid-schema-name', schema.span, { schema: schema.text });
  const tag = parts.length === 2 ? (parts[0] ?? defaultTag) : defaultTag;
  return { tag, schema: namePattern(parts.at(-1) ?? ''), name: namePattern(name.text) };
}

function namePattern(text: string): NamePattern {
  return text.endsWith('%') ? { text: text.slice(0, -1), wildcard: true } : { text, wildcard: false };
}

function knownTables(catalog: Catalog, pattern: TablePattern): readonly CatalogTable[] {
  return matchingTables(indexTables(catalog, pattern.tag), pattern);
}

function reportUnknown(catalog: Catalog, report: Report, syntax: TableSource, pattern: TablePattern): void {
  if (catalog.open) return;
  const schemas = matchingEntries(indexTables(catalog, pattern.tag), pattern.schema);
  report('unknown-table', tableSpan(syntax), {
    table: writtenName(syntax),
    from: catalog.from,
    near: nearestTable(schemas, syntax.name.text),
  });
}
