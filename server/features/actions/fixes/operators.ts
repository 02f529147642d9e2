/** Fixes of operators, forms and calls that must be written differently here, as their messages say. */
import type { Binary, Expr } from '../../../engine/sql/ast.ts';
import { functions } from '../../../engine/sql/functions.ts';
import { children } from '../../../engine/sql/walk.ts';
import type { Fix, Fixes, SqlSubject } from '../fix.ts';
import { asStreams } from '../migration.ts';
import {
  allExpressions,
  exprAround,
  exprAt,
  inSql,
  outerOf,
  replaceSpan,
  sqlFix,
  sqlWithin,
} from '../sqlEdits.ts';
import { partOfTime, powerOf, type RewritableCall, rewriteOf, textOf } from './callRewrites.ts';

export const operatorFixes: Fixes = {
  'unsupported-operator': inSql((sql) => {
    const expr = ['binary', 'is', 'in', 'unary'] as const;
    return expr.flatMap((kind) => {
      const found = exprAt(sql, kind);
      return found ? offerText(sql, found, operationText(sql, found)) : [];
    });
  }),
  'unsupported-expression': inSql((sql, _, { analysis }) => {
    if (exprAt(sql, 'subquery')) return asStreams(analysis);
    const kinds = ['list', 'keyword', 'index', 'between', 'case', 'special'] as const;
    return kinds.flatMap((kind) => {
      const found = exprAt(sql, kind);
      return found ? formFixes(sql, found) : [];
    });
  }),
  'wrong-argument-count': inSql((sql) => {
    const call = exprAt(sql, 'call') ?? exprAround(sql, 'call');
    return call ? argumentFixes(sql, call) : [];
  }),
  'like-not-supported': inSql((sql) => {
    const like = exprAt(sql, 'binary');
    return like ? offerText(sql, like, patternText(sql, like)) : [];
  }),
};

/** Rewrites calls that have another form here: another order of arguments, or operators. */
export function rewriteCall(sql: SqlSubject, call: Extract<Expr, { kind: 'call' }>): readonly Fix[] {
  if (call.schema) return [];
  const [only] = call.args;
  if (only?.kind === 'in' && !only.negated && call.name.text.toLowerCase() === 'position')
    return offerText(
      sql,
      call,
      `instr(${sqlWithin(sql, outerOf(only.right))}, ${sqlWithin(sql, outerOf(only.left))})`,
    );
  const text = rewriteOf(call.name.text.toLowerCase(), callOf(sql, call.args));
  return offerText(sql, call, text);
}

function callOf(sql: SqlSubject, exprs: readonly Expr[]): RewritableCall {
  return { exprs, args: exprs.map((expr) => writeOperand(sql, expr)) };
}

/** Offers a replacement text, in parentheses if it is next to an operator. */
function offerText(sql: SqlSubject, expr: Expr, text: string | undefined): readonly Fix[] {
  if (text === undefined) return [];
  const isAlone = /^[\w.]+(?:\((?:[^()]|\([^()]*\))*\))?$/.test(text) || expr.outer !== undefined;
  const written = isAlone || !standsInside(sql, expr, text) ? text : `(${text})`;
  return sqlFix(sql, titleOf(text), [replaceSpan(expr.span, written)]);
}

/** The maximum length of an expression in a title. */
const longest = 60;

function titleOf(text: string): string {
  return text.length <= longest ? `Write ${text}` : `Write ${text.slice(0, longest - 1)}…`;
}

/** Whether the expression is next to an operator that binds more strongly than the operators of the text. AND and OR rarely do. */
function standsInside(sql: SqlSubject, expr: Expr, text: string): boolean {
  const around = allExpressions(sql).find((one) => children(one).includes(expr));
  if (around === undefined || around.kind === 'call' || around.kind === 'list') return false;
  return around.kind !== 'binary' || !/^(?:AND|OR)$/.test(around.op) || / (?:AND|OR) /.test(text);
}

export function writeOperand(sql: SqlSubject, expr: Expr): string {
  const text = sqlWithin(sql, outerOf(expr));
  const isSimple = expr.outer !== undefined || ['literal', 'reference', 'call', 'cast'].includes(expr.kind);
  return isSimple ? text : `(${text})`;
}

type Operation = Extract<Expr, { kind: 'binary' | 'is' | 'in' | 'unary' }>;

function operationText(sql: SqlSubject, expr: Operation): string | undefined {
  switch (expr.kind) {
    case 'is':
      return expr.test === 'null'
        ? undefined
        : `${expr.negated ? 'NOT ' : ''}${writeOperand(sql, expr.operand)} = ${expr.test.toUpperCase()}`;
    case 'in':
      return expr.negated && expr.right.kind === 'list'
        ? unequalAll(sql, expr.left, expr.right.items)
        : undefined;
    case 'unary':
      return expr.op === '-' ? `0 - ${writeOperand(sql, expr.operand)}` : undefined;
    case 'binary':
      return binaryText(sql, expr);
  }
}

/** Writes NOT IN as a chain of `!=`. Both treat NULL in the same way here. */
function unequalAll(sql: SqlSubject, left: Expr, items: readonly Expr[]): string | undefined {
  const x = writeOperand(sql, left);
  return items.length === 0
    ? undefined
    : items.map((item) => `${x} != ${writeOperand(sql, item)}`).join(' AND ');
}

function binaryText(sql: SqlSubject, expr: Binary): string | undefined {
  const [x, y] = [writeOperand(sql, expr.left), writeOperand(sql, expr.right)];
  const keys = keysOf(sql, expr.right);
  switch (expr.op) {
    case '^':
      return powerOf(x, expr.right);
    case '%':
      return `${x} - ${x} / ${y} * ${y}`;
    case '<<':
      return writeShift(x, '*', expr.right);
    case '>>':
      return writeShift(x, '/', expr.right);
    case '@>':
      return keys?.length === 1 ? `${keys[0]} IN ${x}` : undefined;
    case '<@': {
      const inner = keysOf(sql, expr.left);
      return inner?.length === 1 ? `${inner[0]} IN ${y}` : undefined;
    }
    case '?':
      return `${x} -> ${y} IS NOT NULL`;
    case '?|':
      return keys?.map((key) => `${x} -> ${key} IS NOT NULL`).join(' OR ');
    case '?&':
      return keys?.map((key) => `${x} -> ${key} IS NOT NULL`).join(' AND ');
    case '#>>':
      return pathText(x, textOf(expr.right));
    case 'AT TIME ZONE':
      return /^utc$/i.test(textOf(expr.right) ?? '') ? x : undefined;
    default:
      return patternText(sql, expr);
  }
}

/** Returns the elements of `ARRAY['a', 'b']`, `'{a,b}'` or `'["a", "b"]'` as SQL. */
function keysOf(sql: SqlSubject, expr: Expr): readonly string[] | undefined {
  if (expr.kind === 'list') return expr.items.map((item) => writeOperand(sql, item));
  if (expr.kind === 'cast') return keysOf(sql, expr.operand);
  const text = textOf(expr) ?? '';
  const [, inside] = /^\[(.*)\]$/s.exec(text) ?? /^\{(.*)\}$/s.exec(text) ?? [];
  const items = inside?.split(',').map((item) => item.trim().replace(/^"(.*)"$/, '$1'));
  return items?.every((item) => /^[\w -]+$/.test(item)) ? items.map((item) => `'${item}'`) : undefined;
}

const mostBits = 30;

function writeShift(x: string, operator: '*' | '/', count: Expr): string | undefined {
  if (count.kind !== 'literal' || count.value.type !== 'integer') return undefined;
  const bits = Number(count.value.value);
  return bits < 0 || bits > mostBits ? undefined : `${x} ${operator} ${2 ** bits}`;
}

function pathText(x: string, path: string | undefined): string | undefined {
  const keys = /^\{([\w, -]+)\}$/
    .exec(path ?? '')?.[1]
    ?.split(',')
    .map((key) => key.trim());
  return keys?.reduce(
    (text, key, index) => `${text} ${index === keys.length - 1 ? '->>' : '->'} '${key}'`,
    x,
  );
}

/** Rewrites LIKE with `%` only at its ends, and regular expressions that contain only `^` and `$` as special characters. */
function patternText(sql: SqlSubject, { op, left, right }: Binary): string | undefined {
  const pattern = textOf(right);
  const form = forms.get(op);
  if (pattern === undefined || form === undefined) return undefined;
  const [, open, part = '', close] = form.read.exec(pattern) ?? [];
  if (part === '') return undefined;
  const isAnywhere = { start: (open ?? '') === form.any, end: (close ?? '') === form.any };
  const x = form.isFolded ? `lower(${sqlWithin(sql, outerOf(left))})` : writeOperand(sql, left);
  const text = `'${(form.isFolded ? part.toLowerCase() : part).replaceAll("'", "''")}'`;
  if (isAnywhere.start && isAnywhere.end) return `instr(${x}, ${text}) ${form.isNegated ? '=' : '>'} 0`;
  if (isAnywhere.start) return undefined;
  const value = isAnywhere.end ? `substring(${x}, 1, ${part.length})` : x;
  // NULL is unequal to any text here, so it would pass without the first condition.
  return form.isNegated ? `${x} IS NOT NULL AND ${value} != ${text}` : `${value} = ${text}`;
}

interface Pattern {
  readonly read: RegExp;
  /** The wildcard at an end of the pattern that matches any further text. */
  readonly any: '%' | '';
  readonly isFolded: boolean;
  readonly isNegated: boolean;
}

const likePattern = /^(%?)([^%_\\]+)(%?)$/;
const regularPattern = /^(\^?)([^\\^$.|?*+()[\]{}]+)(\$?)$/;

const forms: ReadonlyMap<string, Pattern> = new Map(
  (
    ['LIKE', 'NOT LIKE', '~~', '!~~', 'ILIKE', 'NOT ILIKE', '~~*', '!~~*', '~', '!~', '~*', '!~*'] as const
  ).map((op) => {
    const isRegular = /^!?~\*?$/.test(op);
    return [
      op,
      {
        read: isRegular ? regularPattern : likePattern,
        any: isRegular ? '' : '%',
        isFolded: /^(?:NOT )?ILIKE$|\*$/.test(op),
        isNegated: /^(?:NOT|!)/.test(op),
      },
    ] as const;
  }),
);

type Form = Extract<Expr, { kind: 'list' | 'keyword' | 'index' | 'between' | 'case' | 'special' }>;

function formFixes(sql: SqlSubject, expr: Form): readonly Fix[] {
  switch (expr.kind) {
    case 'list':
      return listFixes(sql, expr);
    case 'keyword':
      return keywordFixes(sql, expr);
    case 'index':
      return offerText(sql, expr, `${writeOperand(sql, expr.operand)} ->> ${writeOperand(sql, expr.index)}`);
    case 'between': {
      const [x, low, high] = [expr.operand, expr.low, expr.high].map((one) => writeOperand(sql, one));
      return offerText(
        sql,
        expr,
        expr.negated ? `${x} < ${low} OR ${x} > ${high}` : `${x} >= ${low} AND ${x} <= ${high}`,
      );
    }
    case 'case':
      return offerText(sql, expr, caseText(sql, expr));
    case 'special':
      return offerText(sql, expr, specialText(sql, expr));
  }
}

function listFixes(sql: SqlSubject, list: Extract<Expr, { kind: 'list' }>): readonly Fix[] {
  const inside = sqlWithin(sql, list.span).replace(/^(?:array\s*)?[[(]|[\])]$/gi, '');
  const json = jsonOf(list.items);
  return [
    ...(list.form === 'parentheses'
      ? sqlFix(sql, 'Write ARRAY[…]', [replaceSpan(outerOf(list), `ARRAY[${inside}]`)], { isSure: true })
      : []),
    ...(json === undefined ? [] : sqlFix(sql, `Write ${json}`, [replaceSpan(outerOf(list), json)])),
  ];
}

/** Returns the items as a JSON array such as `'["a", "b"]'`. */
function jsonOf(items: readonly Expr[]): string | undefined {
  const values = items.map((item) => (item.kind === 'literal' ? item.value : undefined));
  const written = values.map((value) =>
    value?.type === 'text'
      ? JSON.stringify(value.value)
      : value?.type === 'integer'
        ? String(value.value)
        : undefined,
  );
  return written.includes(undefined) ? undefined : `'[${written.join(', ').replaceAll("'", "''")}]'`;
}

const users = new Set(['current_user', 'session_user', 'user']);

function keywordFixes(sql: SqlSubject, keyword: Extract<Expr, { kind: 'keyword' }>): readonly Fix[] {
  const name = sqlWithin(sql, keyword.span).toLowerCase();
  const calls = users.has(name) ? ['auth.user_id()', 'request.user_id()'] : [];
  return [...calls, `"${name}"`].flatMap((text) =>
    sqlFix(sql, `Write ${text}`, [replaceSpan(keyword.span, text)]),
  );
}

function caseText(sql: SqlSubject, expr: Extract<Expr, { kind: 'case' }>): string | undefined {
  const { operand, branches, otherwise } = expr;
  const last = otherwise ? sqlWithin(sql, outerOf(otherwise)) : 'NULL';
  return branches.reduceRight((rest, { when, then }) => {
    const test = operand
      ? `${writeOperand(sql, operand)} = ${writeOperand(sql, when)}`
      : sqlWithin(sql, outerOf(when));
    return `iif(${test}, ${sqlWithin(sql, outerOf(then))}, ${rest})`;
  }, last);
}

function specialText(sql: SqlSubject, expr: Extract<Expr, { kind: 'special' }>): string | undefined {
  const args = expr.args.map((arg) => writeOperand(sql, arg));
  if (expr.form === 'substring') {
    const start = /\sfrom\s/i.test(sqlWithin(sql, expr.span)) ? [] : ['1'];
    return `substring(${[...args.slice(0, 1), ...start, ...args.slice(1)].join(', ')})`;
  }
  const part = /^extract\s*\(\s*(\w+)\s+from\s/i.exec(sqlWithin(sql, expr.span))?.[1];
  return part === undefined ? undefined : partOfTime(part, args.at(-1) ?? '');
}

/** Returns fixes that remove surplus arguments, or add arguments that have no effect. */
function argumentFixes(sql: SqlSubject, call: Extract<Expr, { kind: 'call' }>): readonly Fix[] {
  const { args } = call;
  const name = call.name.text.toLowerCase();
  const [first, second] = args;
  if (name === 'iif' && args.length === 2) return [...addArgument(sql, args, 'NULL')];
  if (name === 'ifnull' && first && !second) return offerText(sql, call, writeOperand(sql, first));
  const most = call.schema ? 1 : (functions.get(name)?.max ?? args.length);
  const [last, extra] = [args[most - 1], args.at(-1)];
  if (args.length <= most || !last || !extra) return [];
  const behind = { start: outerOf(last).end, end: outerOf(extra).end };
  const text = sqlWithin(sql, { start: outerOf(args[most] ?? extra).start, end: behind.end });
  return sqlFix(sql, `Remove ${text}`, [replaceSpan(behind, '')]);
}

function addArgument(sql: SqlSubject, args: readonly Expr[], text: string): readonly Fix[] {
  const last = args.at(-1);
  if (!last) return [];
  const { end } = outerOf(last);
  return sqlFix(sql, `Add ${text}`, [replaceSpan({ start: end, end }, `, ${text}`)]);
}
