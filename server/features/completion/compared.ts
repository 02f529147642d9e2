/** What a value is compared with, and what it is likely to be then. */

import { nameKey } from '../../engine/model/scope.ts';
import { namesUser } from '../../engine/names/relations.ts';
import type { VisibleColumn } from '../../engine/names/visible.ts';
import { symbolsIn } from '../reading/names.ts';
import type { Completion } from './item.ts';
import type { SqlContext } from './sqlContext.ts';

export interface ComparedColumn extends VisibleColumn {
  /** After `IN (`, which wants a SELECT. */
  readonly isList: boolean;
}

const name = String.raw`(?:[A-Za-z_][\w$]*|"(?:[^"]|"")+")`;
const comparison = new RegExp(
  String.raw`(?:(${name})\s*\.\s*)?(${name})\s*(?:=|!=|<>|<=|>=|<|>|\bin\s*(\())\s*'?$`,
  'i',
);

/** @param until where the value starts: where the cursor is, or a query around it */
export function comparedColumn(
  { place, position, tables }: SqlContext,
  until: number = position.start,
): ComparedColumn | undefined {
  const [, qualifier, column, list] = comparison.exec(place.text.slice(0, until)) ?? [];
  if (column === undefined) return undefined;
  const around = tables.flat();
  const among =
    qualifier === undefined
      ? around
      : around.filter((table) => nameKey(table.name) === nameKey(plain(qualifier)));
  const found = among
    .flatMap((table) => table.columns)
    .find((one) => nameKey(one.name) === nameKey(plain(column)));
  return found && { ...found, isList: list !== undefined };
}

function plain(written: string): string {
  return written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written;
}

/** Calls that read the request: first what the name of the column asks for, then what the file reads elsewhere. */
export function likelyValues(context: SqlContext, column: ComparedColumn): readonly Completion[] {
  const { place, keyword, dotted } = context;
  const { values } = column.known ?? {};
  if (values !== undefined && !column.isList && !context.isQuoted) return offerValues(context, values);
  if (column.isList || context.isQuoted || (place.role !== 'stream' && place.role !== 'cte')) return [];
  const offer = (label: string, detail: string, rank: number): Completion => ({
    label,
    kind: 'value',
    detail,
    insert: context.insert([dotted.isCall && label.endsWith(')') ? label.replace(/\(.*$/, '') : label]),
    span: dotted.span,
    rank,
  });
  if (/^bool/i.test(column.known?.sourceType ?? ''))
    return ['TRUE', 'FALSE'].map((word) => offer(keyword(word), 'boolean', 0));
  const user = offer('auth.user_id()', 'signed', namesUser(column.name) || isUserKey(column) ? 0 : 1);
  const reads = readsOf(context).map(({ part, name: read }) =>
    offer(
      `${part}.parameter('${read.replaceAll("'", "''")}')`,
      part === 'auth' ? 'signed' : 'chosen by the client',
      nameKey(read) === nameKey(column.name) ? 0 : 2,
    ),
  );
  const asked = offer(
    `subscription.parameter('${column.name.replaceAll("'", "''")}')`,
    'chosen by the client',
    2,
  );
  return [user, ...reads, ...(place.role === 'stream' ? [asked] : [])];
}

/** What the source lists; where a text is begun, without its quotes. */
export function offerValues(
  context: SqlContext,
  values: readonly string[],
  form: 'whole' | 'begun' = 'whole',
): Completion[] {
  return values.map((value) => {
    const inside = value.replaceAll("'", "''");
    return {
      label: form === 'begun' ? value : `'${inside}'`,
      kind: 'value',
      detail: 'listed by the source',
      insert: context.insert([form === 'begun' ? inside : `'${inside}'`]),
      span: form === 'begun' ? context.span : context.dotted.span,
      rank: 0,
    };
  });
}

/** The id in a table of users. */
function isUserKey({ name: column, of }: ComparedColumn): boolean {
  return column.toLowerCase() === 'id' && namesUser(of.replace(/s$/i, ''));
}

interface Read {
  readonly part: 'auth' | 'connection';
  readonly name: string;
}

function readsOf({ analysis }: SqlContext): readonly Read[] {
  const reads = new Map<string, Read>();
  for (const { part, name: read } of symbolsIn(analysis).flat()) {
    if (read === '' || read === 'sub') continue;
    if (part === 'auth' || part === 'connection') reads.set(`${part} ${read}`, { part, name: read });
  }
  return [...reads.values()];
}
