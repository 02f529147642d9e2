/**
 * Expressions of a plan. An expression is computed from one row or from one request. Expressions are normalised (`a != b` is
 * `not (a = b)`, `auth.user_id()` is a claim), hold no reference to the syntax tree, and can be serialised.
 *
 * Depth is limited by the compiler, so walkers may recurse. Chains of one operator are one node.
 */
import type { LiteralValue } from '../sql/ast.ts';
import type { Span } from '../text/span.ts';

/** The place of a part of the config: a span in one of the texts of the {@link CompiledStream}. */
export interface Origin {
  /** The index of the text in the compiled stream. */
  readonly text: number;
  readonly span: Span;
}

interface Node {
  readonly at: Origin;
}

export interface Constant extends Node {
  readonly kind: 'constant';
  readonly value: LiteralValue;
}

/** A column of the row that the plan part evaluates. NULL if the row does not have it. */
interface ColumnValue extends Node {
  readonly kind: 'column';
  readonly name: string;
}

/** The current element of an expansion, by its index in the plan part. */
interface ElementValue extends Node {
  readonly kind: 'element';
  readonly expansion: number;
  readonly name: string;
}

/** Claims, connection parameters or subscription parameters: all of them as JSON text, or a single value. */
export interface RequestData extends Node {
  readonly kind: 'request';
  readonly part: RequestPart;
  /**
   * The property names from the outermost to the innermost. The value is that of the last one, or NULL if it does not exist. Dots
   * in names have no special meaning.
   */
  readonly path?: readonly string[];
}

export type RequestPart = 'auth' | 'connection' | 'subscription';

/** Metadata of the table from which the row really comes. */
export interface Metadata extends Node {
  readonly kind: 'metadata';
  readonly what: 'schema' | 'table_name' | 'table_suffix';
}

/**
 * - `+ - * / % & | << >> ||`, `and`, `or` take two or more, from left to right.
 * - `in`: the first is an element of the second, a JSON array. `in list`: the first equals one of the others.
 *   `overlap`: two JSON arrays share an element.
 * - `->`, `->>`: JSON text and key.
 */
export type Operator =
  | ComparisonOperator
  | ChainOperator
  | 'not'
  | 'is null'
  | 'is true'
  | 'is false'
  | 'between'
  | 'in'
  | 'in list'
  | 'overlap'
  | '->'
  | '->>';

export type ComparisonOperator = '=' | '<' | '<=' | '>' | '>=';
export type ChainOperator = '+' | '-' | '*' | '/' | '%' | '&' | '|' | '<<' | '>>' | '||' | 'and' | 'or';

export interface Operation extends Node {
  readonly kind: 'operation';
  readonly op: Operator;
  readonly args: readonly Expression[];
}

export interface FunctionValue extends Node {
  readonly kind: 'function';
  /** The name of a function in `sql/functions.ts`, in lower case. */
  readonly name: string;
  readonly args: readonly Expression[];
}

export type CastType = 'text' | 'integer' | 'real' | 'numeric' | 'blob';

interface CastValue extends Node {
  readonly kind: 'cast';
  readonly type: CastType;
  readonly operand: Expression;
}

export interface CaseValue extends Node {
  readonly kind: 'case';
  /** The value with which the condition of each branch is compared. Absent: the conditions are true or false. */
  readonly operand?: Expression;
  readonly branches: readonly { readonly condition: Expression; readonly result: Expression }[];
  readonly otherwise?: Expression;
}

export type Expression =
  | Constant
  | ColumnValue
  | ElementValue
  | RequestData
  | Metadata
  | Operation
  | FunctionValue
  | CastValue
  | CaseValue;

export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'operation':
    case 'function':
      return expression.args;
    case 'cast':
      return [expression.operand];
    case 'case':
      return [
        ...(expression.operand ? [expression.operand] : []),
        ...expression.branches.flatMap(({ condition, result }) => [condition, result]),
        ...(expression.otherwise ? [expression.otherwise] : []),
      ];
    default:
      return [];
  }
}

/** Whether the expression contains a node that the test accepts. */
export function contains(expression: Expression, test: (node: Expression) => boolean): boolean {
  return test(expression) || childrenOf(expression).some((child) => contains(child, test));
}

/** Returns the names of all columns that the expression reads. */
export function columnsIn(expression: Expression): readonly string[] {
  return expression.kind === 'column' ? [expression.name] : childrenOf(expression).flatMap(columnsIn);
}

/** Whether the value comes from the token, so that the client cannot choose it. */
export function isAuthData(node: Expression): boolean {
  return node.kind === 'request' && node.part === 'auth';
}

/** Returns the text of a column as an expression. See {@link expressionText}. */
export function rowColumnText(name: string): string {
  return `.${nameText(name)}`;
}

/**
 * Returns the text of an expression, such as `(= .owner_id (->> auth "sub"))`. Two expressions compute the same value if their
 * texts are equal, no matter where they are written.
 */
export function expressionText(expression: Expression): string {
  switch (expression.kind) {
    case 'constant':
      return textOfConstant(expression.value);
    case 'column':
      return rowColumnText(expression.name);
    case 'element':
      return `[${expression.expansion}].${nameText(expression.name)}`;
    case 'request':
      return [expression.part, ...(expression.path ?? []).map(nameText)].join('.');
    case 'metadata':
      return `@${expression.what}`;
    case 'operation':
      return `(${expression.op} ${expression.args.map(expressionText).join(' ')})`;
    case 'function':
      return `${expression.name}(${expression.args.map(expressionText).join(' ')})`;
    case 'cast':
      return `(cast ${expressionText(expression.operand)} ${expression.type})`;
    case 'case':
      return textOfCase(expression);
  }
}

function textOfConstant(value: LiteralValue): string {
  switch (value.type) {
    case 'null':
      return 'null';
    case 'text':
      return JSON.stringify(value.value);
    case 'real':
      return Number.isInteger(value.value) ? `${value.value}.0` : String(value.value);
    default:
      return String(value.value);
  }
}

/** Writes plain names unchanged and others in quotes. */
function nameText(name: string): string {
  return /^\w+$/.test(name) ? name : JSON.stringify(name);
}

function textOfCase({ operand, branches, otherwise }: CaseValue): string {
  const parts = branches.map(
    ({ condition, result }) => ` (when ${expressionText(condition)} ${expressionText(result)})`,
  );
  return `(case${operand ? ` ${expressionText(operand)}` : ''}${parts.join('')}${otherwise ? ` (else ${expressionText(otherwise)})` : ''})`;
}

/** Returns the same expression with other expansion numbers. */
export function renumber(expression: Expression, numbers: ReadonlyMap<number, number>): Expression {
  if (numbers.size === 0) return expression;
  const again = (child: Expression) => renumber(child, numbers);
  switch (expression.kind) {
    case 'element':
      return { ...expression, expansion: numbers.get(expression.expansion) ?? expression.expansion };
    case 'operation':
    case 'function':
      return { ...expression, args: expression.args.map(again) };
    case 'cast':
      return { ...expression, operand: again(expression.operand) };
    case 'case':
      return {
        ...expression,
        ...(expression.operand && { operand: again(expression.operand) }),
        branches: expression.branches.map(({ condition, result }) => ({
          condition: again(condition),
          result: again(result),
        })),
        ...(expression.otherwise && { otherwise: again(expression.otherwise) }),
      };
    default:
      return expression;
  }
}
