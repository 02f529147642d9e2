/** Explains tables, columns and CTEs: what they are in the source, and what clients get. */
import type { CatalogColumn, CatalogTable } from '../../engine/model/catalog.ts';
import type { Cte } from '../../engine/model/definition.ts';
import type { VisibleColumn, VisibleTable } from '../../engine/names/visible.ts';
import { code, paragraphs } from './explainFunctions.ts';

/** The maximum number of columns. A longer list would not be read. */
const mostColumns = 40;

export function explainTable({ schema, name, columns }: CatalogTable): string {
  const shown = [...columns.values()].slice(0, mostColumns);
  const rows = shown.map(
    (column) => `| \`${column.name}\` | ${sourceType(column)} | ${syncedType(column) ?? '?'} |`,
  );
  const more = columns.size - shown.length;
  return paragraphs(
    `**\`${schema}.${name}\`** · table`,
    ['| column | in the source | as synced |', '|---|---|---|', ...rows].join('\n'),
    more > 0 ? `… and ${more} more.` : undefined,
  );
}

export function explainColumn({ name, of, known }: VisibleColumn): string {
  const facts = known
    ? [
        `In the source: ${sourceType(known)}.`,
        ...(known.type === 'blob'
          ? ['Not synced.', bytes]
          : [`As synced: ${syncedType(known) ?? 'unknown'}.`]),
      ]
    : ['Its type is unknown, because there is no schema of the source.'];
  return paragraphs(`**\`${name}\`** · column of \`${of}\``, facts.join(' '));
}

/** Explains a table that is not known. That is not an error, because without a schema no table is known, and it may be incomplete. */
export function explainUnknownTable(
  schema: string,
  name: string,
  catalog: { readonly open?: boolean } | undefined,
  usedColumns: readonly string[],
): string {
  const reason =
    catalog === undefined
      ? 'Its columns are unknown, because there is no schema of the source.'
      : catalog.open
        ? 'It is unknown whether the source has this table, because not all tables are known.'
        : 'The schema of the source does not contain this table.';
  const used = usedColumns.map((column) => `\`${column}\``).join(', ');
  return paragraphs(
    `**\`${schema}.${name}\`** · table`,
    reason,
    used === '' ? undefined : `Columns that this file reads: ${used}.`,
  );
}

export function explainAlias({ name, kind, source, columns }: VisibleTable): string {
  const what = { table: 'table', cte: 'CTE', function: 'table function', subquery: 'subquery' }[kind];
  const names = columns.slice(0, mostColumns).map((column) => `\`${column.name}\``);
  return paragraphs(
    `**\`${name}\`** · ${what}${source === name || source === '' ? '' : ` \`${source}\``}`,
    names.length === 0 ? undefined : `Columns: ${names.join(', ')}.`,
  );
}

export function explainCte({ name, query }: Cte): string {
  return paragraphs(`**\`${name}\`** · CTE`, code(query.sql.text.trim()));
}

function sourceType({ sourceType: type, type: synced, nullable }: CatalogColumn): string {
  const named = type ?? synced ?? 'unknown';
  return nullable === false ? `\`${named}\` not null` : `\`${named}\``;
}

/**
 * Returns the type of a synced column. JSON has no bytes, so binary values exist only inside queries. See the rule `blob-output`.
 */
function syncedType({ type }: CatalogColumn): string | undefined {
  return type === 'blob' ? 'not synced' : type && `\`${type}\``;
}

const bytes =
  'Clients get no binary values, so select `base64(…)` or `hex(…)` of this column. In queries, it is a `blob`.';

/** Returns the type as one word, for lists. */
export function typeOf(known: CatalogColumn | undefined): string | undefined {
  return known?.sourceType ?? known?.type;
}
