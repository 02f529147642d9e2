/** Finds the value on one side of a comparison and suggests the other side. */
import { oncePer } from '../../engine/ground/oncePer.ts';
import type { Analysis } from '../../engine/index.ts';
import { nameKey } from '../../engine/model/scope.ts';
import { toNamed } from '../../engine/names/namedTables.ts';
import { keyBetween, namesUser } from '../../engine/names/relations.ts';
import type { VisibleColumn } from '../../engine/names/visible.ts';
import { textFactsOf } from '../reading/facts.ts';
import { parametersRead } from '../reading/mentions.ts';
import { type TextRun, textRunsOf } from '../reading/sqlTexts.ts';
import type { Completion } from './item.ts';
import { bucketParameters } from './parameters.ts';
import type { SqlContext } from './sqlContext.ts';

export interface ComparedColumn extends VisibleColumn {
  /** Whether the value is after `IN (`, where a SELECT is expected. */
  readonly isList: boolean;
  /** The name of the column's table in the query. */
  readonly table: string;
}

const name = String.raw`(?:[A-Za-z_][\w$]*|"(?:[^"]|"")+")`;
const comparison = new RegExp(
  String.raw`(?:(${name})\s*\.\s*)?(${name})\s*(?:::\s*\w+\s*)?(?:==?|!=|<>|<=|>=|<|>|\bin\s*(\())\s*'?$`,
  'i',
);

/** @param until the start of the value: the cursor, or the start of a query around it */
export function comparedColumn(
  { place, position, tables }: SqlContext,
  until: number = position.start,
): ComparedColumn | undefined {
  const [, qualifier, column, list] = comparison.exec(place.text.slice(0, until)) ?? [];
  if (column === undefined) return undefined;
  const around = (until === position.start ? tables : tables.slice(1)).flat();
  const among =
    qualifier === undefined
      ? around
      : around.filter((table) => nameKey(table.name) === nameKey(plain(qualifier)));
  for (const table of among) {
    const found = table.columns.find((one) => nameKey(one.name) === nameKey(plain(column)));
    if (found) return { ...found, table: table.name, isList: list !== undefined };
  }
  return undefined;
}

function plain(written: string): string {
  return written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written;
}

/** Returns the most likely values to compare with: keys of joined tables, listed values, parameters, and request values. */
export function likelyValues(context: SqlContext, column: ComparedColumn): readonly Completion[] {
  if (column.isList || context.isQuoted) return [];
  const keys = joinedKeys(context, column);
  const values = valuesOf(context, column);
  if (values.length > 0) return [...keys, ...offerValues(context, values)];
  if (/^bool/i.test(column.known?.sourceType ?? ''))
    return ['TRUE', 'FALSE'].map((word) => ({
      ...offer(context, context.keyword(word), 'boolean', 0),
      filter: context.keywordFilter(context.keyword(word)),
    }));
  return [...keys, ...requestValues(context, column)];
}

/** Returns the values that the source lists, or else the values with which the file compares columns of this name. */
export function valuesOf(
  { analysis, place, position }: SqlContext,
  { name, known }: VisibleColumn,
): readonly string[] {
  const typed = place.text.slice(position.start, place.at);
  const isHalfTyped = (value: string) => position.expected === 'text' && value === typed;
  return known?.values ?? comparedTexts(analysis, nameKey(name)).filter((value) => !isHalfTyped(value));
}

function offer({ insert, dotted }: SqlContext, label: string, detail: string, rank: number): Completion {
  const text = dotted.isCall && label.endsWith(')') ? label.replace(/\(.*$/, '') : label;
  return { label, kind: 'value', detail, insert: insert([text]), span: dotted.span, rank };
}

/** Returns keys in the condition of a join: `boats.id` next to `crews.boat_id`. */
function joinedKeys(context: SqlContext, column: ComparedColumn): readonly Completion[] {
  const [own = []] = context.tables;
  const table = own.find(({ name, source }) => name === column.table && source === column.of);
  if (table === undefined || own.length < 2) return [];
  return own.flatMap((other) => {
    if (other === table) return [];
    const [out, back] = [
      keyBetween(toNamed(table), toNamed(other)),
      keyBetween(toNamed(other), toNamed(table)),
    ];
    const key = out?.from === column.name ? out.to : back?.to === column.name ? back.from : undefined;
    const id = other.columns.find((one) => nameKey(one.name) === 'id')?.name;
    const isKey = context.position.clause === 'on' && nameKey(column.name) !== 'id';
    const likely = key ?? (isKey ? id : undefined);
    if (likely === undefined) return [];
    const label = `${context.name(other.name)}.${context.name(likely)}`;
    return [offer(context, label, 'by its key', key === undefined ? 1 : 0)];
  });
}

/** Returns calls that read the request: first those that match the column's name, then those that the file uses elsewhere. */
function requestValues(context: SqlContext, column: ComparedColumn): readonly Completion[] {
  const { place } = context;
  const isUser = namesUser(column.name) || isUserKey(column);
  if (place.role === 'data')
    return bucketParameters(context, 'bucket').map(({ label }) =>
      offer(
        context,
        `bucket.${context.name(label)}`,
        'parameter of the bucket',
        label === column.name ? 0 : 2,
      ),
    );
  if (place.role === 'parameters') return [offer(context, 'request.user_id()', 'signed', isUser ? 0 : 1)];
  if (place.role === 'payload') return [];
  const user = offer(context, 'auth.user_id()', 'signed', isUser ? 0 : 1);
  const reads = readsOf(context).map(({ part, name: read }) =>
    offer(
      context,
      `${part}.parameter('${read.replaceAll("'", "''")}')`,
      part === 'auth' ? 'signed' : 'chosen by the client',
      nameKey(read) === nameKey(column.name) ? 0 : 2,
    ),
  );
  const asked = offer(
    context,
    `subscription.parameter('${column.name.replaceAll("'", "''")}')`,
    'chosen by the client',
    2,
  );
  return [user, ...reads, ...(place.role === 'stream' ? [asked] : [])];
}

/** Returns the distinct texts with which columns of this name are compared. */
function comparedTexts(analysis: Analysis, name: string): readonly string[] {
  const values = new Set<string>();
  for (const run of textRunsOf(analysis))
    for (const value of comparedInRun(run).get(name) ?? []) values.add(value);
  return [...values];
}

const comparedInRun = oncePer((run: TextRun): ReadonlyMap<string, ReadonlySet<string>> => {
  const found = new Map<string, Set<string>>();
  for (const [name, value] of run.flatMap((text) => textFactsOf(text).comparisons)) {
    const values = found.get(nameKey(name)) ?? new Set();
    found.set(nameKey(name), values.add(value));
  }
  return found;
});

/** Offers the values that the source lists. Inside a string, they are inserted without quotes. */
export function offerValues(
  context: SqlContext,
  values: readonly string[],
  form: 'whole' | 'begun' = 'whole',
): readonly Completion[] {
  const detail = 'a value of the column';
  return values.map((value) => {
    const inside = value.replaceAll("'", "''");
    return {
      label: form === 'begun' ? value : `'${inside}'`,
      kind: 'value',
      detail,
      insert: context.insert([form === 'begun' ? inside : `'${inside}'`]),
      span: form === 'begun' ? context.span : context.dotted.span,
      rank: 0,
    };
  });
}

/** Whether the column is the id of a users table. */
function isUserKey({ name: column, of }: ComparedColumn): boolean {
  return column.toLowerCase() === 'id' && namesUser(of.replace(/s$/i, ''));
}

interface Read {
  readonly part: 'auth' | 'connection';
  readonly name: string;
}

function readsOf({ analysis }: SqlContext): readonly Read[] {
  const reads = new Map<string, Read>();
  for (const { part, name: read } of parametersRead(analysis)) {
    if (read === '' || read === 'sub') continue;
    if (part === 'auth' || part === 'connection') reads.set(`${part} ${read}`, { part, name: read });
  }
  return [...reads.values()];
}
