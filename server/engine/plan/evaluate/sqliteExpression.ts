/**
 * Compiles the expressions that `unstable_sqlite_expression_engine` changes. For a config with that option, it replaces the
 * built-in evaluator when an expression is compiled.
 */
import type {
  CaseValue,
  CastType,
  ChainOperator,
  ComparisonOperator,
  Expression,
  Operation,
} from '../expression.ts';
import { fail } from '../values/failure.ts';
import { arrayElements } from '../values/jsonEach.ts';
import type { MemberOperator } from '../values/jsonPath.ts';
import { sqliteCast } from '../values/sqlite/casts.ts';
import { type Affinity, comparisonOf } from '../values/sqlite/compare.ts';
import { sqliteFunction } from '../values/sqlite/functions.ts';
import { readJson5 } from '../values/sqlite/json5.ts';
import { sqliteMember } from '../values/sqlite/jsonPath.ts';
import { realOrNull } from '../values/sqlite/numbers.ts';
import { combination, truthOf } from '../values/sqlite/operators.ts';
import { fromBoolean, type SqlValue, sqlFalse, sqlTrue } from '../values/value.ts';
import type { EvaluationRules, Evaluator } from './scope.ts';

type OperandEvaluator = (operand: Expression) => Evaluator;
type ToEvaluator = (expression: Expression, rules: EvaluationRules) => Evaluator;

/** The kinds of expressions that SQLite evaluates differently. */
type SqliteExpression = Expression & { kind: 'column' | 'operation' | 'function' | 'cast' | 'case' };

export function isSqliteExpression(expression: Expression): expression is SqliteExpression {
  return ['column', 'operation', 'function', 'cast', 'case'].includes(expression.kind);
}

/** Compiles an expression. Its operands are compiled by `toEvaluator`, which may be observed. */
export function toSqliteEvaluator(
  expression: SqliteExpression,
  rules: EvaluationRules,
  toEvaluator: ToEvaluator,
): Evaluator {
  const of: OperandEvaluator = (operand) => toEvaluator(operand, rules);
  switch (expression.kind) {
    case 'column':
      return columnReader(expression.name);
    case 'operation':
      return operation(expression, expression.args.map(of));
    case 'function':
      return functionCall(expression.name, expression.args.map(of), rules);
    case 'cast': {
      const operand = of(expression.operand);
      const convert = sqliteCast(expression.type);
      return (scope) => convert(operand(scope));
    }
    case 'case':
      return caseValue(expression, of);
  }
}

/** Reads a column. A missing column fails, because SQLite cannot run a statement that reads it. */
function columnReader(name: string): Evaluator {
  return ({ row }) => {
    if (!Object.hasOwn(row, name)) return fail('missing-column');
    const value = row[name] as SqlValue;
    return typeof value === 'number' ? realOrNull(value) : value;
  };
}

function operation({ op, args }: Operation, operands: readonly Evaluator[]): Evaluator {
  const [first, second] = operands as [Evaluator, Evaluator];
  switch (op) {
    case 'and':
    case 'or':
      return connective(op, operands);
    case 'not':
      return (scope) => fromTruth(negate(truthOf(first(scope))));
    case 'is null':
      return (scope) => fromBoolean(first(scope) === null);
    case 'is true':
      return isNumber(args, operands, sqlTrue);
    case 'is false':
      return isNumber(args, operands, sqlFalse);
    case 'between':
      return between(args, operands);
    case 'in':
      return inJson(args, operands);
    case 'in list':
      return inList(args, operands);
    case 'overlap':
      return () => fail('operator-not-evaluable');
    case '->':
    case '->>':
      return (scope) => sqliteMember(op satisfies MemberOperator, first(scope), second(scope));
    case '=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return compileComparison(op, args, operands);
    default:
      return chain(op, operands);
  }
}

/** Compiles `x IS 1` or `x IS 0`, which is true only for these numbers: 5 is neither true nor false. */
function isNumber(args: readonly Expression[], [operand]: readonly Evaluator[], number: bigint): Evaluator {
  const equals = comparisonOf('=', affinityOf(args[0] as Expression), 'none');
  return (scope) => equals((operand as Evaluator)(scope), number) ?? sqlFalse;
}

function negate(truth: boolean | null): boolean | null {
  return truth === null ? null : !truth;
}

function fromTruth(truth: boolean | null): SqlValue {
  return truth === null ? null : fromBoolean(truth);
}

/** Compiles AND or OR. All operands are evaluated, because a failing operand makes the rule fail. */
function connective(op: 'and' | 'or', operands: readonly Evaluator[]): Evaluator {
  const decisive = op === 'or';
  return (scope) => {
    let decided = false;
    let unknown = false;
    for (const operand of operands) {
      const truth = truthOf(operand(scope));
      if (truth === decisive) decided = true;
      else if (truth === null) unknown = true;
    }
    if (decided) return fromBoolean(decisive);
    return unknown ? null : fromBoolean(!decisive);
  };
}

function compileComparison(
  op: ComparisonOperator,
  args: readonly Expression[],
  [left, right]: readonly Evaluator[],
): Evaluator {
  const compare = comparisonOf(op, affinityOf(args[0] as Expression), affinityOf(args[1] as Expression));
  return (scope) => compare((left as Evaluator)(scope), (right as Evaluator)(scope));
}

function chain(op: Exclude<ChainOperator, 'and' | 'or'>, operands: readonly Evaluator[]): Evaluator {
  const combine = combination(op);
  const [first, ...rest] = operands as [Evaluator, ...Evaluator[]];
  return (scope) => rest.reduce<SqlValue>((value, operand) => combine(value, operand(scope)), first(scope));
}

/**
 * Returns the affinity of an expression. A CAST has that of its type. A column has no type here, so its affinity is `blob` rather
 * than `none`.
 */
function affinityOf(expression: Expression): Affinity {
  if (expression.kind === 'cast') return castAffinities[expression.type];
  return expression.kind === 'column' || expression.kind === 'element' ? 'blob' : 'none';
}

const castAffinities: Record<CastType, Affinity> = {
  blob: 'blob',
  text: 'text',
  integer: 'numeric',
  real: 'numeric',
  numeric: 'numeric',
};

/** Compiles `x >= low AND x <= high`. */
function between(args: readonly Expression[], operands: readonly Evaluator[]): Evaluator {
  const [x, low, high] = args as [Expression, Expression, Expression];
  const [value, from, to] = operands as [Evaluator, Evaluator, Evaluator];
  const isAbove = comparisonOf('>=', affinityOf(x), affinityOf(low));
  const isBelow = comparisonOf('<=', affinityOf(x), affinityOf(high));
  return (scope) => {
    const at = value(scope);
    const above = isAbove(at, from(scope));
    const below = isBelow(at, to(scope));
    if (above === sqlFalse || below === sqlFalse) return sqlFalse;
    return above === null || below === null ? null : sqlTrue;
  };
}

function inJson(args: readonly Expression[], [value, list]: readonly Evaluator[]): Evaluator {
  const equals = comparisonOf('=', affinityOf(args[0] as Expression), 'none');
  return (scope) => {
    const x = (value as Evaluator)(scope);
    const elements = arrayElements((list as Evaluator)(scope), readJson5);
    if (x === null || elements === null) return null;
    // A null in a JSON list is not an element. This also holds without the SQLite engine.
    return isAmong(
      x,
      elements.filter((element) => element !== null),
      equals,
    );
  };
}

/**
 * Compiles IN with a list. It compares only with the affinity of x. An empty list fails, because SQLite cannot run such a
 * statement.
 */
function inList(args: readonly Expression[], [value, ...items]: readonly Evaluator[]): Evaluator {
  if (items.length === 0) return () => fail('operator-not-evaluable');
  const equals = comparisonOf('=', affinityOf(args[0] as Expression), 'none');
  return (scope) =>
    isAmong(
      (value as Evaluator)(scope),
      items.map((item) => item(scope)),
      equals,
    );
}

function isAmong(
  value: SqlValue,
  items: readonly SqlValue[],
  equals: (left: SqlValue, right: SqlValue) => SqlValue,
): SqlValue {
  const found = items.map((item) => equals(value, item));
  if (found.includes(sqlTrue)) return sqlTrue;
  return found.includes(null) ? null : sqlFalse;
}

/** Compiles a function call. ifnull() and iif() evaluate only the arguments that they need, like CASE. */
function functionCall(name: string, operands: readonly Evaluator[], rules: EvaluationRules): Evaluator {
  const [first, second, third] = operands as [Evaluator, Evaluator, Evaluator];
  switch (name) {
    case 'ifnull':
      return operands.length === 2
        ? (scope) => first(scope) ?? second(scope)
        : () => fail('function-not-evaluable');
    case 'iif':
      return (scope) => (truthOf(first(scope)) ? second(scope) : third(scope));
    default: {
      const call = sqliteFunction(name);
      return (scope) =>
        call(
          operands.map((operand) => operand(scope)),
          rules,
        );
    }
  }
}

function caseValue({ operand, branches, otherwise }: CaseValue, of: OperandEvaluator): Evaluator {
  const subject = operand && of(operand);
  const last = otherwise && of(otherwise);
  const compiled = branches.map(({ condition, result }) => ({
    condition: of(condition),
    equals: operand && comparisonOf('=', affinityOf(operand), affinityOf(condition)),
    result: of(result),
  }));
  return (scope) => {
    const value = subject?.(scope) ?? null;
    const taken = compiled.find(({ condition, equals }) =>
      equals ? equals(value, condition(scope)) === sqlTrue : truthOf(condition(scope)),
    );
    return (taken?.result ?? last)?.(scope) ?? null;
  };
}
