/** Compiles calls: ordinary functions, values of the request, and metadata of rows. */
import type { FunctionCall, Special } from '../../sql/ast.ts';
import {
  functionAlternatives,
  functions,
  nondeterministicFunctions,
  type RequestFunction,
  requestFunctions,
  type SqlFunction,
} from '../../sql/functions.ts';
import { nearest } from '../../text/nearest.ts';
import { cover } from '../../text/span.ts';
import type { RequestPart } from '../expression.ts';
import { type ExpressionPlace, leaf, originOf } from './compilation.ts';
import { resolveMetadata } from './names.ts';
import { type CompiledText, type DependentValue, request } from './relations.ts';
import { allPresent, combine, operation, refuse, toValue } from './values.ts';

const requestSchemas: ReadonlyMap<string, RequestPart> = new Map([
  ['auth', 'auth'],
  ['connection', 'connection'],
  ['subscription', 'subscription'],
]);

export function translateCall(place: ExpressionPlace, call: FunctionCall): DependentValue | undefined {
  const { schema } = call;
  if (!schema) return ordinary(place, call);
  const part = requestSchemas.get(schema.text);
  return part
    ? requestValue(place, call, part)
    : resolveMetadata(place.c, place.text, place.scope, call, schema);
}

function ordinary(place: ExpressionPlace, call: FunctionCall): DependentValue | undefined {
  const { text } = place;
  const name = call.name.text.toLowerCase();
  const known = functions.get(name);
  if (call.modifiers.length > 0) {
    text.report('function-modifier', call.name.span, {});
  } else if (!known || known.only === 'before 3') {
    reportUnknown(place, call, name);
  } else {
    return knownFunction(place, call, known);
  }
  translateArguments(place, call);
  return undefined;
}

function reportUnknown(
  { text }: ExpressionPlace,
  { name: { span }, args }: FunctionCall,
  name: string,
): void {
  if (nondeterministicFunctions.has(name)) {
    text.report('nondeterministic-function', span, { name });
    return;
  }
  // The alternative to round() cannot take a number of digits.
  const isScaled = name === 'round' && args.length > 1;
  const instead = isScaled ? 'Store the rounded value in a column.' : functionAlternatives.get(name);
  const candidates = [...functions.values()].filter(({ only }) => only !== 'before 3').map((f) => f.name);
  text.report('unknown-function', span, {
    name,
    ...(instead ? { instead } : { near: nearest(name, candidates) }),
  });
}

/** Compiles the arguments of a call that is rejected anyway. `count(*)` and `exists (SELECT …)` have no further problem. */
function translateArguments(place: ExpressionPlace, { args }: FunctionCall): void {
  for (const arg of args) if (arg.kind !== 'star' && arg.kind !== 'subquery') toValue(place, arg);
}

function knownFunction(
  place: ExpressionPlace,
  call: FunctionCall,
  known: SqlFunction,
): DependentValue | undefined {
  const { c, text } = place;
  const { name, min, max, notInSqlite } = known;
  const found = call.args.length;
  if (found < min || found > max) {
    text.report('wrong-argument-count', call.span, { name, expected: countText(min, max), found });
  }
  if (notInSqlite && c.surroundings.options.sqliteEngine) {
    text.report('function-not-evaluable', call.name.span, { name });
  }
  return apply(place, call, name);
}

function apply(
  place: ExpressionPlace,
  call: FunctionCall | Special,
  name: string,
): DependentValue | undefined {
  const parts = allPresent(call.args.map((arg) => toValue(place, arg)));
  if (!parts) return undefined;
  const args = parts.map(({ expression }) => expression);
  return combine(place, call, parts, { kind: 'function', name, args, at: originOf(place.text, call.span) });
}

/** Returns text such as `1 argument` or `2 to 3 arguments`. */
function countText(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return `at least ${min} argument${min === 1 ? '' : 's'}`;
  if (min !== max) return `${min} to ${max} arguments`;
  return min === 0 ? 'no argument' : `${min} argument${min === 1 ? '' : 's'}`;
}

function requestValue(
  place: ExpressionPlace,
  call: FunctionCall,
  part: RequestPart,
): DependentValue | undefined {
  const { text } = place;
  const name = call.name.text.toLowerCase();
  const known = requestFunctions.find((f) => f.schema === part && f.name === name);
  const found = call.args.length;
  if (!known) {
    reportUnknownRequestFunction(place, call, part, name);
    translateArguments(place, call);
    return undefined;
  }
  if (known.max === 0) reportIgnored(text, call, `${part}.${name}`);
  else if (found < known.min || found > known.max) {
    const expected = countText(known.min, known.max);
    text.report('wrong-argument-count', call.nameSpan, { name: `${part}.${name}`, expected, found });
    translateArguments(place, call);
    return undefined;
  }
  return readRequest(place, call, part, known);
}

/** Reports ignored arguments. The reference does not even read the arguments of a request function that takes none. */
function reportIgnored(text: CompiledText, { args: [first, ...rest] }: FunctionCall, name: string): void {
  if (!first) return;
  const last = rest.at(-1) ?? first;
  text.report('ignored-arguments', cover(first.outer ?? first.span, last.outer ?? last.span), { name });
}

function reportUnknownRequestFunction(
  { text }: ExpressionPlace,
  call: FunctionCall,
  part: RequestPart,
  name: string,
): void {
  if (name === 'user_id') {
    text.report('user-id-wrong-schema', call.nameSpan, {});
    return;
  }
  const names = requestFunctions.filter(({ schema }) => schema === part).map((f) => f.name);
  const near = nearest(name, names);
  const instead = requestAlternatives.get(name) ?? (near ? undefined : `Write ${part}.parameter('${name}').`);
  text.report('unknown-request-function', call.nameSpan, {
    schema: part,
    name,
    ...(instead ? { instead } : { near }),
  });
}

/** Advice for names that other backends use for the user and the token. */
const requestAlternatives: ReadonlyMap<string, string> = new Map([
  ['claims', 'Write auth.parameters().'],
  ['jwt', "Write auth.parameters(), or auth.parameter('…') for one claim."],
  ['token', 'Write auth.parameters().'],
  ['uid', 'Write auth.user_id().'],
  ['user', 'Write auth.user_id().'],
]);

/** Reads a value of the request. All values come from one JSON text; the user id is the claim `sub`. */
function readRequest(
  place: ExpressionPlace,
  call: FunctionCall,
  part: RequestPart,
  { name }: RequestFunction,
): DependentValue | undefined {
  const at = originOf(place.text, call.span);
  const data = leaf({ kind: 'request', part, at }, { of: request, text: place.text, at });
  if (name === 'parameters') return data;
  if (name === 'user_id') {
    const key = leaf({ kind: 'constant', value: { type: 'text', value: 'sub' }, at });
    return operation(place, call, '->>', [data, key]);
  }
  const [arg] = call.args;
  return operation(place, call, '->>', [data, arg && toValue(place, arg)]);
}

export function translateSpecial(place: ExpressionPlace, expr: Special): DependentValue | undefined {
  if (expr.form !== 'substring') {
    for (const arg of expr.args) toValue(place, arg);
    return refuse(place, expr, 'unsupported-expression', { what: `${expr.form}(…)` });
  }
  if (!place.c.surroundings.options.sqliteEngine) {
    place.text.report('operator-not-evaluable', expr.span, { operator: 'substring(… FROM …)' });
  }
  return apply(place, expr, 'substring');
}
