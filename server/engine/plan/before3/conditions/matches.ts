/** Reads =, IN, AND and OR, the operators by which row data can match the request or a bucket parameter. */
import type { Binary, Expr, In } from '../../../sql/ast.ts';
import type { Origin } from '../../expression.ts';
import { originIn, quote } from '../place.ts';
import type { ReadingScope } from '../scope.ts';
import {
  type BucketParameter,
  type Clause,
  comparisonKey,
  elementKeyOf,
  leafClause,
  type Match,
  type ValueClause,
} from './clause.ts';
import { chainOf, combineClauses, type Operand } from './combine.ts';
import { joinConditions, type Parameter, repeatsComparison } from './condition.ts';
import { isListText } from './constants.ts';

export function equality(
  scope: ReadingScope,
  expr: Binary,
  left: Clause | undefined,
  right: Clause | undefined,
): Clause | undefined {
  if (!left || !right) return undefined;
  if (left.kind === 'match' || right.kind === 'match') {
    if (isParameter(left) || isParameter(right)) scope.report('parameters-on-both-sides', expr.span, {});
    else scope.report('match-not-allowed', expr.span, { place: 'value' });
    return undefined;
  }
  if (left.kind === 'parameter' && right.kind === 'parameter') {
    scope.report('parameters-on-both-sides', expr.span, {});
    return undefined;
  }
  const at = originIn(scope, expr.span);
  const met = meeting(left, right) ?? meeting(right, left);
  if (met) return compareClauses(scope, 'equal', met, at);
  const value = combineClauses(scope, expr, operandsOf(expr, left, right), (args) => ({
    kind: 'operation',
    op: '=',
    args,
    at,
  }));
  return value?.kind === 'constant' ? { ...value, kind: scope.equalConstants ?? 'constant' } : value;
}

function isParameter({ kind }: Clause): boolean {
  return kind === 'parameter' || kind === 'request';
}

type Meeting = readonly [row: ValueClause, parameter: ValueClause | BucketParameter];

/** Row data (or, for bucket parameters, a constant) and the other side of its comparison. */
function meeting(row: Clause, other: Clause): Meeting | undefined {
  if (row.kind !== 'row' && row.kind !== 'constant') return undefined;
  if (other.kind === 'parameter') return [row, other];
  return other.kind === 'request' && row.kind === 'row' ? [row, other] : undefined;
}

function compareClauses(
  scope: ReadingScope,
  kind: 'equal' | 'in row',
  [row, other]: Meeting,
  at: Origin,
): Match {
  const written =
    other.kind === 'parameter' ? `bucket.${other.name}` : quote(scope, other.expression.at.span);
  return {
    kind: 'match',
    condition: { kind, row: row.expression, parameter: parameterOf(other), at },
    parameters: new Map([[comparisonKey(other), written]]),
    searchesRow: kind === 'in row',
  };
}

function parameterOf(clause: ValueClause | BucketParameter): Parameter {
  return clause.kind === 'parameter'
    ? { kind: 'bucket', name: clause.name }
    : { kind: 'request', value: clause.expression };
}

function operandsOf(
  expr: Binary | In,
  left: Clause | undefined,
  right: Clause | undefined,
): readonly [Operand, Operand] {
  return [
    [left, expr.left],
    [right, expr.right],
  ];
}

export function membership(
  scope: ReadingScope,
  expr: In,
  left: Clause | undefined,
  right: Clause | undefined,
): Clause | undefined {
  if (right && !isListLike(scope, expr.right, right)) return undefined;
  if (right?.kind === 'parameter') {
    scope.report('parameter-right-of-in', expr.right.span, { parameter: `bucket.${right.name}` });
    return undefined;
  }
  const at = originIn(scope, expr.span);
  if (left && right && right.kind !== 'match' && left.kind !== 'match') {
    const met = meeting(right, left);
    if (met) return compareClauses(scope, 'in row', met, at);
    if (left.kind === 'row' && right.kind === 'request') {
      return {
        kind: 'match',
        condition: { kind: 'in request', row: left.expression, array: right.expression, at },
        parameters: new Map([[elementKeyOf(right), quote(scope, expr.right.span)]]),
        searchesRow: false,
      };
    }
  }
  return combineClauses(scope, expr, operandsOf(expr, left, right), (args) => ({
    kind: 'operation',
    op: 'in',
    args,
    at,
  }));
}

/** Whether a constant after IN is the string of a JSON array. `x IN ('a')` is read as `x IN 'a'`. */
function isListLike(scope: ReadingScope, written: Expr, clause: Clause): boolean {
  if (clause.kind !== 'constant' || clause.expression.kind !== 'constant') return true;
  const { value } = clause.expression;
  if (value.type === 'null' || (value.type === 'text' && isListText(value.value))) return true;
  const list = value.type === 'text' ? JSON.stringify([value.value]) : `[${value.value}]`;
  scope.report('in-single-value', written.span, {
    value: quote(scope, written.span),
    list: `'${list.replaceAll("'", "''")}'`,
  });
  return false;
}

export function conjunction(
  scope: ReadingScope,
  expr: Binary,
  left: Clause | undefined,
  right: Clause | undefined,
): Clause | undefined {
  if (arePlain(left, right)) return connectMatches(scope, expr, 'and', left, right);
  const [a, b] = [asMatch(scope, expr.left, left), asMatch(scope, expr.right, right)];
  if (!a || !b) return undefined;
  if (a.searchesRow && b.searchesRow) scope.report('multiple-in-expressions', expr.span, {});
  if (repeatsComparison(a.condition, b.condition)) return a;
  reportRepeated(scope, expr.right, a, b);
  for (const [key, name] of b.parameters) a.parameters.set(key, name);
  return {
    kind: 'match',
    condition: joinConditions('and', a.condition, b.condition),
    parameters: a.parameters,
    searchesRow: a.searchesRow || b.searchesRow,
  };
}

/**
 * Whether neither side needs a match, because together they depend only on the row or only on the request. For the service, bucket
 * parameters that are combined with each other or with constants are also a plain expression, because no row is compared with them.
 */
function arePlain(left: Clause | undefined, right: Clause | undefined): boolean {
  const kinds = [left?.kind, right?.kind].filter((kind) => kind !== undefined && kind !== 'constant');
  if (kinds.includes('match')) return false;
  if (kinds.includes('parameter') && kinds.includes('row')) return false;
  return kinds.length < 2 || kinds[0] === kinds[1];
}

/** Connects two matches. The service turns a condition on constants alone into a condition on rows. */
function connectMatches(
  scope: ReadingScope,
  expr: Binary,
  op: 'and' | 'or',
  left: Clause | undefined,
  right: Clause | undefined,
): Clause | undefined {
  const value = combineClauses(scope, expr, operandsOf(expr, left, right), (args) =>
    chainOf(op, args, originIn(scope, expr.span)),
  );
  return value?.kind === 'constant' ? { ...value, kind: 'row' } : value;
}

/** Converts any clause to a condition. */
export function asMatch(scope: ReadingScope, written: Expr, clause: Clause | undefined): Match | undefined {
  if (!clause) return undefined;
  switch (clause.kind) {
    case 'match':
      return clause;
    case 'parameter':
      return compareClauses(scope, 'equal', [one(scope, written), clause], originIn(scope, written.span));
    case 'request':
      return {
        kind: 'match',
        condition: { kind: 'request', value: clause.expression },
        parameters: new Map([[comparisonKey(clause), quote(scope, written.span)]]),
        searchesRow: false,
      };
    default:
      return {
        kind: 'match',
        condition: { kind: 'row', value: clause.expression },
        parameters: new Map(),
        searchesRow: false,
      };
  }
}

/** Returns the value 1, with which a bare parameter is compared. */
function one(scope: ReadingScope, { span }: Expr): ValueClause {
  const value = { type: 'integer', value: 1n } as const;
  return leafClause('constant', { kind: 'constant', value, at: originIn(scope, span) });
}

/**
 * Reports a repeated parameter. The service looks rows up by one value for each parameter, so it enforces only the first condition
 * on it.
 */
function reportRepeated(scope: ReadingScope, written: Expr, first: Match, second: Match): void {
  const repeated = [...second.parameters].find(([key]) => first.parameters.has(key));
  if (repeated) scope.report('same-parameter-twice', written.span, { parameter: repeated[1] });
}

export function disjunction(
  scope: ReadingScope,
  expr: Binary,
  left: Clause | undefined,
  right: Clause | undefined,
): Clause | undefined {
  if (arePlain(left, right)) return connectMatches(scope, expr, 'or', left, right);
  const [a, b] = [asMatch(scope, expr.left, left), asMatch(scope, expr.right, right)];
  if (!a || !b) return undefined;
  if (
    a.parameters.size !== b.parameters.size ||
    [...b.parameters.keys()].some((key) => !a.parameters.has(key))
  ) {
    scope.report('or-parameters-mismatch', expr.span, {});
    return undefined;
  }
  return {
    kind: 'match',
    condition: joinConditions('or', a.condition, b.condition),
    parameters: a.parameters,
    searchesRow: a.searchesRow || b.searchesRow,
  };
}
