/** Guesses the intended meaning of an unknown name: a string without quotes, a CTE, a claim, or a binary column as text. */
import type { CatalogColumn } from '../../../engine/model/catalog.ts';
import type { Expr, Name } from '../../../engine/sql/ast.ts';
import { children } from '../../../engine/sql/walk.ts';
import { nearest } from '../../../engine/text/nearest.ts';
import { nameFor } from '../../reading/writing.ts';
import type { Fix, Fixes, SqlSubject, Subject } from '../fix.ts';
import {
  allExpressions,
  exprAround,
  exprAt,
  holds,
  inSql,
  replaceSpan,
  selectAround,
  sqlFix,
  sqlWithin,
  sure,
} from '../sqlEdits.ts';

export const meantFixes: Fixes = {
  'mixed-row-and-parameter': inSql((sql) => {
    const call = exprAround(sql, 'call');
    const [arg, more] = call?.args ?? [];
    const isName =
      call?.schema && call.name.text === 'parameter' && arg?.kind === 'reference' && !arg.table && !more;
    return isName ? quoteText(sql, arg, sure) : [];
  }),
  'unlisted-value': inSql((sql, { near }) => {
    const text = `'${near?.replaceAll("'", "''")}'`;
    return near === undefined ? [] : sqlFix(sql, `Write ${text}`, [replaceSpan(sql.span, text)], sure);
  }),
  'blob-output': inSql((sql) => {
    const column = exprAt(sql, 'reference');
    const isSelected = selectAround(sql)?.columns.some(({ expr, alias }) => expr === column && !alias);
    if (!column || !isSelected) return [];
    const text = `base64(${sqlWithin(sql, column.span)}) AS ${nameFor(column.column.text)}`;
    return sqlFix(sql, `Write ${text}`, [replaceSpan(column.span, text)]);
  }),
};

/** Offers fixes for a column that the table does not have. */
export function columnMeant(sql: SqlSubject, subject: Pick<Subject, 'analysis' | 'part'>): readonly Fix[] {
  const reference = exprAt(sql, 'reference');
  if (!reference || reference.table) return [];
  const around = allExpressions(sql).find((one) => children(one).includes(reference));
  if (around?.kind === 'in' && around.right === reference) return cteMeant(sql, reference.column, subject);
  if (around?.kind !== 'binary' || !/^(?:=|!=|<>)$/.test(around.op)) return [];
  const other = around.left === reference ? around.right : around.left;
  const compared = other.kind === 'reference' ? columnNamed(sql, other.column.text, subject) : undefined;
  if (compared === undefined) return [];
  const isListed = compared.values?.includes(reference.column.text);
  return isListed === false ? [] : quoteText(sql, reference, isListed ? sure : {});
}

function quoteText(sql: SqlSubject, expr: Expr, certainty: Pick<Fix, 'isSure'>): readonly Fix[] {
  const text = `'${sqlWithin(sql, expr.span).replace(/^"|"$/g, '').replaceAll("'", "''")}'`;
  return sqlFix(sql, `Write ${text}`, [replaceSpan(expr.span, text)], certainty);
}

/** Offers the CTE with a similar name. */
export function cteMeant(
  sql: SqlSubject,
  written: Name,
  { analysis: { config }, part }: Pick<Subject, 'analysis' | 'part'>,
): readonly Fix[] {
  const own = config?.definitions.flatMap(({ definition, part: of }) =>
    definition.kind === 'stream' && of === part && holds(definition.span, sql.text.span)
      ? definition.ctes
      : [],
  );
  const names = [...(own ?? []), ...(config?.surroundings.ctes ?? [])].map(({ name }) => name);
  const near = nearest(written.text, names);
  return near === undefined ? [] : sqlFix(sql, `Write ${near}`, [replaceSpan(written.span, nameFor(near))]);
}

/** Looks for the column in the tables that the query reads, if the source is known. */
function columnNamed(
  sql: SqlSubject,
  name: string,
  { analysis: { config } }: Pick<Subject, 'analysis'>,
): CatalogColumn | undefined {
  const names = selectAround(sql)?.from.map(({ source }) =>
    source.kind === 'table' ? source.name.text : '',
  );
  const tables = config?.surroundings.catalog?.tables.filter((table) => names?.includes(table.name));
  return tables?.map(({ columns }) => columns.get(name)).find((column) => column !== undefined);
}

/** Whether another name in the file looks like a misspelling of the CTE, so that the CTE must not be removed without a check. */
export function looksMisspelt({ findings }: Subject['analysis'], cte: string): boolean {
  return findings.some(({ code, args }) => {
    if (code !== 'unknown-column' && code !== 'unknown-table') return false;
    const { column, table } = args as { readonly table: string; readonly column?: string };
    return nearest(column ?? table, [cte]) === cte;
  });
}
