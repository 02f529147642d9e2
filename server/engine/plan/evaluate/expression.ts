/** Compiles an expression of a plan to a function, which then runs for each row or request. */
import type { ChainOperator, ComparisonOperator, Constant, Expression, Operation } from '../expression.ts';
import { type ArithmeticOperator, calculate } from '../values/arithmetic.ts';
import { builtInCast } from '../values/casts.ts';
import { comparison, equals } from '../values/compare.ts';
import { fail, failureFrom } from '../values/failure.ts';
import { isJsonObject, type Json, jsonToSql, readJson } from '../values/json.ts';
import { arrayElements } from '../values/jsonEach.ts';
import { type MemberOperator, memberReader, readMember } from '../values/jsonPath.ts';
import { scalarFunctions } from '../values/scalarFunctions.ts';
import { truthOf } from '../values/sqlite/operators.ts';
import { joinTexts, toText } from '../values/text.ts';
import { isTrue } from '../values/truth.ts';
import { fromBoolean, type SqlValue, sqlFalse, sqlTrue } from '../values/value.ts';
import { canFail } from './canFail.ts';
import type { EvaluationRules, EvaluationScope, Evaluator, Observer } from './scope.ts';
import { isSqliteExpression, toSqliteEvaluator } from './sqliteExpression.ts';

export type Predicate = (scope: EvaluationScope) => boolean;

export function toEvaluator(expression: Expression, rules: EvaluationRules): Evaluator {
  const evaluate =
    rules.sqliteEngine && isSqliteExpression(expression)
      ? toSqliteEvaluator(expression, rules, toEvaluator)
      : toBuiltInEvaluator(expression, rules);
  return rules.observe === undefined ? evaluate : withObserver(expression, evaluate, rules.observe);
}

function withObserver(expression: Expression, evaluate: Evaluator, observe: Observer): Evaluator {
  return (scope) => {
    try {
      const value = evaluate(scope);
      observe(expression, scope, value);
      return value;
    } catch (thrown) {
      const failure = failureFrom(thrown);
      observe(expression, scope, failure);
      throw failure;
    }
  };
}

function toBuiltInEvaluator(expression: Expression, rules: EvaluationRules): Evaluator {
  switch (expression.kind) {
    case 'constant': {
      const value = constantValue(expression);
      return () => value;
    }
    case 'column':
      return columnReader(expression.name);
    case 'element':
      return elementReader(expression.expansion, expression.name);
    case 'request':
      return requestReader(expression);
    case 'metadata':
      return metadataReader(expression.what);
    case 'operation':
      return operation(expression, rules);
    case 'function':
      return functionCall(expression.name, evaluators(expression.args, rules), rules);
    case 'cast': {
      const operand = toEvaluator(expression.operand, rules);
      const convert = builtInCast(expression.type);
      return (scope) => convert(operand(scope));
    }
    case 'case':
      return caseValue(expression, rules);
  }
}

/**
 * Combines conditions as in WHERE. If one of them fails, the entire predicate fails even after a false condition, so the order of
 * the conditions does not matter.
 */
export function toPredicate(conditions: readonly Expression[], rules: EvaluationRules): Predicate {
  // A trace reports every condition.
  const mayFail = rules.sqliteEngine || rules.observe ? () => true : canFail;
  const sorted = [...conditions].sort((a, b) => Number(mayFail(b)) - Number(mayFail(a)));
  const failing = sorted.filter(mayFail).length;
  const tests = evaluators(sorted, rules);
  const holds = truthIn(rules);
  const [only] = tests;
  if (only === undefined) return () => true;
  if (tests.length === 1) return (scope) => holds(only(scope));
  return (scope) => {
    let all = true;
    for (let i = 0; i < tests.length; i += 1) {
      if (!all && i >= failing) return false;
      if (!holds((tests[i] as Evaluator)(scope))) all = false;
    }
    return all;
  };
}

/** Returns a function that decides whether a value lets a row pass. */
export function truthIn({ sqliteEngine }: EvaluationRules): (value: SqlValue) => boolean {
  return sqliteEngine ? (value) => truthOf(value) === true : isTrue;
}

function evaluators(expressions: readonly Expression[], rules: EvaluationRules): readonly Evaluator[] {
  return expressions.map((expression) => toEvaluator(expression, rules));
}

export function constantValue({ value }: Constant): SqlValue {
  switch (value.type) {
    case 'null':
      return null;
    case 'boolean':
      return fromBoolean(value.value);
    default:
      return value.value;
  }
}

function columnReader(name: string): Evaluator {
  // A row may be a plain object, whose inherited properties are not columns.
  if (name in Object.prototype)
    return ({ row }) => (Object.hasOwn(row, name) ? (row[name] as SqlValue) : null);
  return ({ row }) => row[name] ?? null;
}

function requestReader({ part, path }: Expression & { kind: 'request' }): Evaluator {
  if (path === undefined) return ({ request }) => request[part]?.text ?? null;
  return ({ request }) => jsonToSql(propertyAt(request[part]?.json, path));
}

export function propertyAt(json: Json | undefined, path: readonly string[]): Json | undefined {
  let at = json;
  for (const name of path) at = at !== undefined && isJsonObject(at) ? at[name] : undefined;
  return at;
}

function elementReader(expansion: number, name: string): Evaluator {
  if (name === 'value') return ({ elements }) => elements[expansion]?.value ?? null;
  if (name === 'key') return ({ elements }) => elements[expansion]?.key ?? null;
  return () => null;
}

function metadataReader(what: 'schema' | 'table_name' | 'table_suffix'): Evaluator {
  switch (what) {
    case 'schema':
      return ({ table }) => table.schema;
    case 'table_name':
      return ({ table }) => table.name;
    case 'table_suffix':
      return ({ suffix }) => suffix;
  }
}

function operation({ op, args }: Operation, rules: EvaluationRules): Evaluator {
  switch (op) {
    case 'and':
    case 'or':
      return connective(op, evaluators(args, rules));
    case 'not':
      return unary(args, rules, (value) => fromBoolean(!isTrue(value)));
    case 'is null':
      return unary(args, rules, (value) => fromBoolean(value === null));
    case 'is true':
      return unary(args, rules, (value) => fromBoolean(isNumberOf(value, 1)));
    case 'is false':
      return unary(args, rules, (value) => fromBoolean(isNumberOf(value, 0)));
    case 'between':
      return between(evaluators(args, rules));
    case 'in':
      return inJson(evaluators(args, rules));
    case 'in list':
      return inList(evaluators(args, rules));
    case 'overlap':
      return overlap(evaluators(args, rules));
    case '->':
    case '->>':
      return member(op, args, rules);
    default:
      return op in comparisons
        ? compileComparison(op as ComparisonOperator, evaluators(args, rules))
        : chain(op as ChainOperator, evaluators(args, rules));
  }
}

function isNumberOf(value: SqlValue, number: 0 | 1): boolean {
  return value === BigInt(number) || value === number;
}

function unary(
  args: readonly Expression[],
  rules: EvaluationRules,
  apply: (value: SqlValue) => SqlValue,
): Evaluator {
  const [operand] = evaluators(args, rules) as [Evaluator];
  return (scope) => apply(operand(scope));
}

const lessOrEqual = comparison((order) => order <= 0);

const comparisons: Record<ComparisonOperator, (left: SqlValue, right: SqlValue) => SqlValue> = {
  '=': equals,
  '<': comparison((order) => order < 0),
  '<=': lessOrEqual,
  '>': comparison((order) => order > 0),
  '>=': comparison((order) => order >= 0),
};

function compileComparison(op: ComparisonOperator, [left, right]: readonly Evaluator[]): Evaluator {
  const compare = comparisons[op];
  const [a, b] = [left as Evaluator, right as Evaluator];
  return (scope) => compare(a(scope), b(scope));
}

/** Compiles AND or OR. All operands are evaluated, because a failing operand makes the rule fail. */
function connective(op: 'and' | 'or', operands: readonly Evaluator[]): Evaluator {
  const decisive = op === 'or';
  return (scope) => {
    let decided = false;
    for (const operand of operands) {
      if (isTrue(operand(scope)) === decisive) decided = true;
    }
    return fromBoolean(decided === decisive);
  };
}

function chain(op: ChainOperator, operands: readonly Evaluator[]): Evaluator {
  const combine = combiner(op);
  const [first, ...rest] = operands as [Evaluator, ...Evaluator[]];
  return (scope) => {
    let value = first(scope);
    for (const operand of rest) value = combine(value, operand(scope));
    return value;
  };
}

function combiner(op: ChainOperator): (left: SqlValue, right: SqlValue) => SqlValue {
  switch (op) {
    case '+':
    case '-':
    case '*':
    case '/':
      return calculate(op satisfies ArithmeticOperator);
    case '||':
      return (left, right) =>
        left === null || right === null ? null : joinTexts(toText(left), toText(right));
    default:
      return () => fail('operator-not-evaluable');
  }
}

function between([value, low, high]: readonly Evaluator[]): Evaluator {
  return (scope) => {
    const [x, a, b] = [(value as Evaluator)(scope), (low as Evaluator)(scope), (high as Evaluator)(scope)];
    const above = lessOrEqual(a, x);
    const below = lessOrEqual(x, b);
    return above === null || below === null ? null : fromBoolean(above === sqlTrue && below === sqlTrue);
  };
}

function inJson([value, list]: readonly Evaluator[]): Evaluator {
  return (scope) => {
    const x = (value as Evaluator)(scope);
    const json = (list as Evaluator)(scope);
    // If the left side is NULL, the list is not parsed, so it may have any content.
    const elements = x === null ? null : arrayElements(json);
    if (elements === null) return null;
    return fromBoolean(elements.some((element) => equals(x, element) === sqlTrue));
  };
}

/** Compiles an overlap. NULL has no elements, and equals no element. */
function overlap([left, right]: readonly Evaluator[]): Evaluator {
  return (scope) => {
    const [a = [], b = []] = [left, right].map((side) => arrayElements((side as Evaluator)(scope)) ?? []);
    return fromBoolean(a.some((x) => b.some((y) => equals(x, y) === sqlTrue)));
  };
}

/** Compiles IN with a list of expressions. Items after the first equal one are not evaluated. */
function inList([value, ...items]: readonly Evaluator[]): Evaluator {
  return (scope) => {
    const x = (value as Evaluator)(scope);
    if (x === null) return null;
    let unknown = false;
    for (const item of items) {
      const found = equals(x, item(scope));
      if (found === sqlTrue) return sqlTrue;
      if (found === null) unknown = true;
    }
    return unknown ? null : sqlFalse;
  };
}

function member(op: MemberOperator, args: readonly Expression[], rules: EvaluationRules): Evaluator {
  const [document, key] = args as [Expression, Expression];
  const computed = evaluators(args, rules) as [Evaluator, Evaluator];
  const known = key.kind === 'constant' ? constantValue(key) : undefined;
  if (typeof known !== 'string' && typeof known !== 'bigint') {
    return (scope) => readMember(op, computed[0](scope), computed[1](scope), rules);
  }
  const read = memberReader(op, known, rules);
  if (document.kind === 'request' && document.path === undefined) {
    const { part } = document;
    return ({ request }) => (request[part] === undefined ? null : read(request[part].json));
  }
  return (scope) => {
    const text = computed[0](scope);
    return text === null ? null : read(readJson(toText(text)));
  };
}

function functionCall(name: string, args: readonly Evaluator[], rules: EvaluationRules): Evaluator {
  const call = Object.hasOwn(scalarFunctions, name) ? scalarFunctions[name] : undefined;
  if (call === undefined) return () => fail('function-not-evaluable');
  const [only] = args;
  // Most functions have one argument, and creating a list of one argument is faster this way.
  if (only !== undefined && args.length === 1) return (scope) => call([only(scope)], rules);
  return (scope) =>
    call(
      args.map((arg) => arg(scope)),
      rules,
    );
}

function caseValue(expression: Expression & { kind: 'case' }, rules: EvaluationRules): Evaluator {
  const operand = expression.operand && toEvaluator(expression.operand, rules);
  const otherwise = expression.otherwise && toEvaluator(expression.otherwise, rules);
  const branches = expression.branches.map(({ condition, result }) => ({
    condition: toEvaluator(condition, rules),
    result: toEvaluator(result, rules),
  }));
  return (scope) => {
    const subject = operand?.(scope);
    const taken = branches.find(({ condition }) =>
      subject === undefined ? isTrue(condition(scope)) : equals(subject, condition(scope)) === sqlTrue,
    );
    return (taken?.result ?? otherwise)?.(scope) ?? null;
  };
}
