/**
 * Replacements for calls of functions that only other databases have. Each argument is in a form that can be written next to an
 * operator.
 */
import type { Expr } from '../../../engine/sql/ast.ts';

export interface RewritableCall {
  /** The source texts of the arguments. */
  readonly args: readonly string[];
  readonly exprs: readonly Expr[];
}

type Rewrite = (call: RewritableCall) => string | undefined;

/** Returns undefined if the arguments do not allow a replacement. */
export function rewriteOf(name: string, call: RewritableCall): string | undefined {
  const rewrite = rewrites.get(name);
  return call.args.length === 0 ? undefined : rewrite?.(call);
}

function ofOne(write: (x: string) => string): Rewrite {
  return ({ args: [x, more] }) => (x === undefined || more !== undefined ? undefined : write(x));
}

function ofTwo(write: (a: string, b: string) => string): Rewrite {
  return ({ args: [a, b, more] }) =>
    a === undefined || b === undefined || more !== undefined ? undefined : write(a, b);
}

/** Writes a path such as `a -> 'b' ->> 'c'`. */
function ofPath(last: '->' | '->>'): Rewrite {
  return ({ args: [x = '', ...keys] }) =>
    keys.length === 0
      ? undefined
      : keys.reduce((text, key, index) => `${text} ${index === keys.length - 1 ? last : '->'} ${key}`, x);
}

const asItIs = ofOne((x) => x);
/** The start and length of each part in the result of `datetime()`. */
const partsOfTime: ReadonlyMap<string, readonly [start: number, length: number]> = new Map([
  ['year', [1, 4]],
  ['month', [6, 2]],
  ['day', [9, 2]],
  ['hour', [12, 2]],
  ['minute', [15, 2]],
  ['second', [18, 2]],
]);

export function partOfTime(part: string, x: string): string | undefined {
  const [start, length] = partsOfTime.get(part.toLowerCase()) ?? [];
  return start === undefined ? undefined : `substring(datetime(${x}), ${start}, ${length})`;
}

const rewrites: ReadonlyMap<string, Rewrite> = new Map<string, Rewrite>([
  ['abs', ofOne((x) => `iif(${x} < 0, 0 - ${x}, ${x})`)],
  ['age', ofTwo((a, b) => `unixepoch(${a}) - unixepoch(${b})`)],
  ['array_contains', ofTwo((list, x) => `${x} IN ${list}`)],
  [
    'ceil',
    ofOne((x) => `iif(${x} > CAST(${x} AS integer), CAST(${x} AS integer) + 1, CAST(${x} AS integer))`),
  ],
  [
    'ceiling',
    ofOne((x) => `iif(${x} > CAST(${x} AS integer), CAST(${x} AS integer) + 1, CAST(${x} AS integer))`),
  ],
  ['charindex', ofTwo((part, x) => `instr(${x}, ${part})`)],
  [
    'coalesce',
    ({ args }) => (args.length < 3 ? undefined : args.reduceRight((rest, x) => `ifnull(${x}, ${rest})`)),
  ],
  [
    'concat_ws',
    ({ args: [between, ...args] }) => (args.length < 2 ? undefined : args.join(` || ${between} || `)),
  ],
  ['date', ofOne((x) => `substring(datetime(${x}), 1, 10)`)],
  ['encode', ({ args: [x], exprs: [, form] }) => encode(x ?? '', textOf(form))],
  [
    'floor',
    ofOne((x) => `iif(${x} < CAST(${x} AS integer), CAST(${x} AS integer) - 1, CAST(${x} AS integer))`),
  ],
  ['greatest', ofTwo((a, b) => `iif(${a} > ${b}, ${a}, ${b})`)],
  ['json', asItIs],
  ['json_contains', ofTwo((list, x) => `${x} IN ${list}`)],
  ['json_each', asItIs],
  ['json_extract_path', ofPath('->')],
  ['json_extract_path_text', ofPath('->>')],
  ['json_query', ofTwo((x, path) => `json_extract(${x}, ${path})`)],
  ['json_quote', asItIs],
  ['json_value', ofTwo((x, path) => `json_extract(${x}, ${path})`)],
  ['jsonb', asItIs],
  ['jsonb_extract_path', ofPath('->')],
  ['jsonb_extract_path_text', ofPath('->>')],
  ['jsonb_path_exists', ofTwo((x, path) => `json_extract(${x}, ${path}) IS NOT NULL`)],
  ['jsonb_path_query', ofTwo((x, path) => `json_extract(${x}, ${path})`)],
  ['julianday', ofOne((x) => `unixepoch(${x}) / 86400.0 + 2440587.5`)],
  ['least', ofTwo((a, b) => `iif(${a} < ${b}, ${a}, ${b})`)],
  ['left', ofTwo((x, count) => `substring(${x}, 1, ${count})`)],
  ['locate', ofTwo((part, x) => `instr(${x}, ${part})`)],
  ['mod', ofTwo((x, n) => `${x} - ${x} / ${n} * ${n}`)],
  ['nullif', ofTwo((a, b) => `iif(${a} = ${b}, NULL, ${a})`)],
  ['octet_length', ofOne((x) => `length(CAST(${x} AS blob))`)],
  ['parse_json', asItIs],
  ['pow', ({ args: [x], exprs: [, count] }) => powerOf(x ?? '', count)],
  ['power', ({ args: [x], exprs: [, count] }) => powerOf(x ?? '', count)],
  ['right', ofTwo((x, count) => `substring(${x}, 0 - ${count})`)],
  ['round', ofOne((x) => `iif(${x} < 0, CAST(${x} - 0.5 AS integer), CAST(${x} + 0.5 AS integer))`)],
  ['sign', ofOne((x) => `iif(${x} > 0, 1, iif(${x} < 0, 0 - 1, 0))`)],
  ['starts_with', ({ args: [x, part], exprs: [, text] }) => startOf(x ?? '', part ?? '', textOf(text))],
  ['time', ofOne((x) => `substring(datetime(${x}), 12)`)],
  ['to_date', ofOne((x) => `substring(datetime(${x}), 1, 10)`)],
  ['to_json', asItIs],
  ['to_jsonb', asItIs],
  ['to_number', ({ args: [x] }) => `CAST(${x} AS numeric)`],
  ['to_timestamp', ofOne((x) => `datetime(${x}, 'unixepoch')`)],
  ['trunc', ofOne((x) => `CAST(${x} AS integer)`)],
  ...[...partsOfTime.keys()].map(
    (part) => [part, ({ args: [x] }: RewritableCall) => partOfTime(part, x ?? '')] as const,
  ),
  ['date_part', ({ args: [, x], exprs: [part] }) => partOfTime(textOf(part) ?? '', x ?? '')],
  ['date_trunc', ({ args: [, x], exprs: [part] }) => startOfTime(textOf(part) ?? '', x ?? '')],
  ['xor', ofTwo((a, b) => `(${a} AND NOT ${b}) OR (NOT ${a} AND ${b})`)],
]);

export function textOf(expr: Expr | undefined): string | undefined {
  return expr?.kind === 'literal' && expr.value.type === 'text' ? expr.value.value : undefined;
}

function encode(x: string, form: string | undefined): string | undefined {
  return form === 'hex' || form === 'base64' ? `${form}(${x})` : undefined;
}

/** How many characters of `datetime()` to keep for each precision. */
const precisions: ReadonlyMap<string, number> = new Map([
  ['year', 4],
  ['month', 7],
  ['day', 10],
  ['hour', 13],
  ['minute', 16],
]);

function startOfTime(part: string, x: string): string | undefined {
  const length = precisions.get(part.toLowerCase());
  return length === undefined ? undefined : `substring(datetime(${x}), 1, ${length})`;
}

/** The highest power that is written as a product. Higher powers would be too long. */
const highest = 4n;

export function powerOf(x: string, count: Expr | undefined): string | undefined {
  if (count?.kind !== 'literal' || count.value.type !== 'integer') return undefined;
  const times = count.value.value;
  return times < 2n || times > highest ? undefined : new Array<string>(Number(times)).fill(x).join(' * ');
}

function startOf(x: string, part: string, text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : `substring(${x}, 1, ${text.length}) = ${part}`;
}
