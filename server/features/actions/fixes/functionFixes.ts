/** Fixes of calls, casts and operators that are written differently here. */
import type { Expr } from '../../../engine/sql/ast.ts';
import type { Fix, Fixes, SqlSubject, Subject } from '../fix.ts';
import {
  allExpressions,
  exprAround,
  exprAt,
  holds,
  inSql,
  outerOf,
  replaceSpan,
  sqlFix,
  sqlWithin,
  sure,
  sureOfName,
} from '../sqlEdits.ts';
import { rewriteCall, writeOperand } from './operators.ts';

/** Functions of other databases that exist here with another name. */
const sameFunctions: ReadonlyMap<string, string> = new Map([
  ['array_length', 'json_array_length'],
  ['cardinality', 'json_array_length'],
  ['char_length', 'length'],
  ['character_length', 'length'],
  ['coalesce', 'ifnull'],
  ['if', 'iif'],
  ['jsonb_array_length', 'json_array_length'],
  ['lcase', 'lower'],
  ['len', 'length'],
  ['mid', 'substring'],
  ['nvl', 'ifnull'],
  ['strpos', 'instr'],
  ['substr', 'substring'],
  ['ucase', 'upper'],
]);

/** Calls that read the request in other dialects and backends. */
const sameRequests: ReadonlyMap<string, string> = new Map([
  ['auth.claims', 'auth.parameters'],
  ['auth.jwt', 'auth.parameters'],
  ['auth.token', 'auth.parameters'],
  ['auth.uid', 'auth.user_id'],
  ['auth.user', 'auth.user_id'],
  ['request.jwt', 'auth.parameters'],
  ['request.parameter', 'connection.parameter'],
  ['request.parameters', 'connection.parameters'],
  ['request.user_id', 'auth.user_id'],
]);

/** The replacements in a parameter query, which requires the other form. */
const inParameterQueries: ReadonlyMap<string, string> = new Map([
  ['auth.parameters', 'request.jwt'],
  ['auth.user_id', 'request.user_id'],
  ['connection.parameter', 'request.parameter'],
  ['connection.parameters', 'request.parameters'],
]);

export const functionFixes: Fixes = {
  'unknown-function': inSql((sql, { near }, subject) => [
    ...otherForms(sql),
    ...renameCall(sql, near, subject),
  ]),
  'unknown-function-schema': inSql((sql, { near }, subject) => renameCall(sql, near, subject)),
  'unknown-request-function': inSql((sql, { near }, subject) => {
    const renamed = renameCall(sql, near, subject);
    return renamed.length > 0 ? renamed : readParameter(sql);
  }),
  'user-id-wrong-schema': inSql((sql) =>
    sqlFix(sql, 'Write auth.user_id', [replaceSpan(sql.span, 'auth.user_id')], sure),
  ),
  'ignored-arguments': inSql((sql) => {
    const read = readParameter(sql, sure);
    const isMeant = read.length > 0;
    return [
      ...read,
      ...sqlFix(sql, 'Remove the arguments', [replaceSpan(sql.span, '')], isMeant ? {} : sure),
    ];
  }),
  'invalid-cast': inSql((sql, { near }) => {
    if (near === undefined) return [];
    const cast = exprAt(sql, 'cast') ?? exprAround(sql, 'cast');
    return cast ? sqlFix(sql, `Write ${near}`, [replaceSpan(cast.type.span, near)], sure) : [];
  }),
  'unsupported-json-path': inSql((sql, { index }) => {
    const member = exprAt(sql, 'member') ?? exprAround(sql, 'member');
    if (!member) return [];
    return sqlFix(sql, `Write '$.${index}'`, [replaceSpan(member.key.span, `'$.${index}'`)], sure);
  }),
  'unary-minus': inSql((sql) => {
    const minus = exprAt(sql, 'unary');
    if (!minus) return [];
    const operand = sqlWithin(sql, outerOf(minus.operand));
    const isSimple = minus.operand.outer !== undefined || !/[ -]/.test(operand);
    const value = `0 - ${isSimple ? operand : `(${operand})`}`;
    return sqlFix(sql, `Write ${value}`, [replaceSpan(minus.span, minus.outer ? value : `(${value})`)], sure);
  }),
};

/** Rewrites `auth.claim('org')` and `auth.parameters('org')`, which name the parameter that they read. */
function readParameter(sql: SqlSubject, certainty: Pick<Fix, 'isSure'> = {}): readonly Fix[] {
  const call = exprAround(sql, 'call');
  if (!call?.schema || !namesOne(call.args) || /^user_id$/i.test(call.name.text)) return [];
  const title = `Write ${call.schema.text}.parameter`;
  return sqlFix(sql, title, [replaceSpan(call.name.span, 'parameter')], certainty);
}

function namesOne([arg, second]: readonly Expr[]): boolean {
  return arg?.kind === 'literal' && arg.value.type === 'text' && second === undefined;
}

/** Fixes calls of functions that do not exist here or that take other arguments here. */
function otherForms(sql: SqlSubject): readonly Fix[] {
  const call = exprAt(sql, 'call') ?? exprAround(sql, 'call');
  if (!call || call.schema || !holds(call.span, sql.span)) return [];
  const name = sqlWithin(sql, call.nameSpan).toLowerCase();
  if (name === 'concat' && call.args.length > 1) {
    const text = `(${call.args.map((arg) => writeOperand(sql, arg)).join(' || ')})`;
    return sqlFix(sql, 'Write ||', [replaceSpan(call.span, text)]);
  }
  const [list, second] = call.args;
  if ((name !== 'any' && name !== 'some') || !list || second) return rewriteCall(sql, call);
  const compared = allExpressions(sql).find(
    (expr) => expr.kind === 'binary' && expr.op === '=' && expr.right === call,
  );
  if (compared?.kind !== 'binary') return [];
  const behind = { start: outerOf(compared.left).end, end: outerOf(call).end };
  return sqlFix(sql, 'Write IN', [replaceSpan(behind, ` IN ${writeOperand(sql, list)}`)], sure);
}

/** Renames a call to the intended function, or to the one with the most similar name. */
function renameCall(
  sql: SqlSubject,
  near: string | undefined,
  subject: Pick<Subject, 'analysis'>,
): readonly Fix[] {
  const call = exprAt(sql, 'call') ?? exprAround(sql, 'call');
  if (!call || !holds(call.span, sql.span)) return [];
  const name = sqlWithin(sql, call.nameSpan).toLowerCase();
  const isLong = name === 'coalesce' && call.args.length > 2;
  const same =
    (isLong ? undefined : sameFunctions.get(name)) ??
    sameRequests.get(name) ??
    inParameterQueries.get(name) ??
    oldNull(name, call.args);
  // The plural function returns all parameters and would ignore the name.
  const one = same?.replace(/\.parameters$/, '.parameter');
  if (same !== one && one !== undefined && namesOne(call.args))
    return sqlFix(sql, `Write ${one}`, [replaceSpan(call.nameSpan, one)], sure);
  if (same) return sqlFix(sql, `Write ${same}`, [replaceSpan(call.nameSpan, same)], sure);
  if (near === undefined) return [];
  const isSchema = call.schema !== undefined && /^(auth|connection|subscription)$/.test(near);
  const at = near.includes('.') ? call.nameSpan : (isSchema ? call.schema : call.name).span;
  return sqlFix(sql, `Write ${near}`, [replaceSpan(at, near)], sureOfName(sql, at, subject));
}

/** Rewrites SQL Server's `isnull(a, b)`. */
function oldNull(name: string, args: readonly Expr[]): string | undefined {
  return name === 'isnull' && args.length === 2 ? 'ifnull' : undefined;
}
