/** Writes expressions of a plan as SQL of streams, with as few parentheses as precedence allows. */
import type { Expression, FunctionValue, Operation, RequestData } from '../plan/expression.ts';
import { functions } from '../sql/functions.ts';
import { nameText } from '../sql/names.ts';
import { literalText, textLiteral } from './literals.ts';
import type { Refusals } from './refusals.ts';

/** The names in the query for the rows, tables and elements of an expression. */
export interface Names extends Refusals {
  /** The qualifier for columns of the row; absent if there is only one table, so that none is needed. */
  readonly row?: string;
  /** The name of the table itself, for functions of the table. */
  readonly table: string;
  /** The qualifier of the elements of each table function, by number; undefined if none is needed. */
  readonly elements: readonly (string | undefined)[];
  /** Whether JSON keys may contain dots, which depends on `fixed_json_extract`. */
  readonly wholeKeys: boolean;
}

/** The levels of precedence, from loosest to tightest. */
const levels = {
  or: 1,
  and: 2,
  not: 3,
  '=': 4,
  is: 5,
  '<': 6,
  between: 7,
  '|': 8,
  in: 10,
  '+': 11,
  '*': 12,
  '->': 17,
  atom: 20,
} as const;

interface Written {
  readonly text: string;
  readonly level: number;
}

/** Writes a condition that is joined with others by AND. */
export function conditionText(names: Names, expression: Expression): string {
  return atLeast(write(names, expression, 'condition'), levels.and);
}

export function valueSql(names: Names, expression: Expression): string {
  return write(names, expression, 'value').text;
}

/** Writes an operand of a comparison or of IN. */
export function operandText(names: Names, expression: Expression): string {
  return atLeast(write(names, expression, 'value'), levels['+']);
}

function atLeast({ text, level }: Written, lowest: number): string {
  return level < lowest ? `(${text})` : text;
}

/**
 * Whether an expression is used as a condition, which is true or not. Elsewhere, IN must be written so that it tests the entire
 * list at once.
 */
type Use = 'condition' | 'value';

function write(names: Names, expression: Expression, use: Use): Written {
  switch (expression.kind) {
    case 'constant':
      return atom(
        literalText(expression.value) ?? names.refuse('It contains a number that cannot be written in SQL.'),
      );
    case 'column':
      return atom(qualify(names.row, expression.name));
    case 'element':
      return atom(qualify(names.elements[expression.expansion], expression.name));
    case 'request':
      return requestText(names, expression);
    case 'metadata':
      return atom(`${nameText(names.table)}.${expression.what}()`);
    case 'operation':
      return operationText(names, expression, use);
    case 'function':
      return functionText(names, expression);
    case 'cast':
      return atom(`CAST(${valueSql(names, expression.operand)} AS ${expression.type})`);
    case 'case': {
      const { operand, branches, otherwise } = expression;
      const parts = branches.map(
        ({ condition, result }) => `WHEN ${valueSql(names, condition)} THEN ${valueSql(names, result)}`,
      );
      const start = operand ? `CASE ${valueSql(names, operand)}` : 'CASE';
      const end = otherwise ? [`ELSE ${valueSql(names, otherwise)}`, 'END'] : ['END'];
      return atom([start, ...parts, ...end].join(' '));
    }
  }
}

function atom(text: string): Written {
  return { text, level: levels.atom };
}

function qualify(table: string | undefined, column: string): string {
  return table === undefined ? nameText(column) : `${nameText(table)}.${nameText(column)}`;
}

function requestText(names: Names, { part, path = [] }: RequestData): Written {
  const [first, ...rest] = path;
  if (first === undefined) return atom(`${part}.parameters()`);
  const outer = parameterText(names, part, first);
  if (rest.length === 0) return atom(outer);
  return { text: [outer, ...rest.map((key) => keyText(names, key))].join(' ->> '), level: levels['->'] };
}

/** Writes a value of the request by its key. */
export function parameterText(names: Names, part: RequestData['part'], key: string): string {
  if (part === 'auth' && key === 'sub') return 'auth.user_id()';
  return `${part}.parameter(${keyText(names, key)})`;
}

/** Writes the name of a request value. */
function keyText(names: Names, key: string): string {
  const isPath = key.startsWith('$') || (!names.wholeKeys && key.includes('.'));
  return isPath
    ? names.refuse(`It reads a value named \`${key}\`, which a stream would read as a path.`)
    : textLiteral(key);
}

function functionText(names: Names, { name, args }: FunctionValue): Written {
  const known = functions.get(name);
  if (!known || known.only === 'before 3') names.refuse(`It uses ${name}(), which streams do not support.`);
  // Before edition 3, extra arguments are ignored. Since edition 3, they are an error.
  const used = args.slice(0, known?.max);
  return atom(`${name}(${used.map((arg) => valueSql(names, arg)).join(', ')})`);
}

function operationText(names: Names, operation: Operation, use: Use): Written {
  const { op, args } = operation;
  const [left, right] = args as [Expression, Expression];
  switch (op) {
    case 'and':
    case 'or':
      return chain(names, args, op === 'and' ? ' AND ' : ' OR ', levels[op], use);
    case 'not':
      return negationText(names, left);
    case '=':
      return (
        (use === 'condition' && differenceText(names, left, right)) ||
        infix(names, left, '=', right, levels['='])
      );
    case '<':
    case '<=':
    case '>':
    case '>=':
      return infix(names, left, op, right, levels['<']);
    case 'is null':
      return { text: `${tight(names, left)} IS NULL`, level: levels.is };
    case 'is true':
      return { text: `${tight(names, left)} IS TRUE`, level: levels.is };
    case 'is false':
      return { text: `${tight(names, left)} IS FALSE`, level: levels.is };
    case 'between':
      return betweenText(names, args);
    case 'in':
      return use === 'condition'
        ? infix(names, left, 'IN', right, levels.in)
        : { text: `NOT (${infix(names, left, 'NOT IN', right, levels.in).text})`, level: levels.not };
    case 'in list':
      return inListText(names, args);
    case 'overlap':
      return infix(names, left, '&&', right, levels['<']);
    case '->':
    case '->>':
      return memberText(names, operation);
    case '+':
    case '-':
    case '||':
      return chain(names, args, ` ${op} `, levels['+'], 'value');
    case '*':
    case '/':
    case '%':
      return chain(names, args, ` ${op} `, levels['*'], 'value');
    default:
      return chain(names, args, ` ${op} `, levels['|'], 'value');
  }
}

/**
 * Writes `a != b` of a bucket definition, which is not true for NULL, as `(a = b) = 0`. For a column and a constant, there is a
 * simpler form.
 */
function differenceText(names: Names, left: Expression, right: Expression): Written | undefined {
  if (left.kind !== 'operation' || left.op !== '=' || !isZero(right)) return undefined;
  const [value, constant] = left.args as [Expression, Expression];
  if (value.kind !== 'column' && value.kind !== 'element') return undefined;
  if (constant.kind !== 'constant' || constant.value.type === 'null') return undefined;
  const text = operandText(names, value);
  const different = infix(names, value, '!=', constant, levels['=']).text;
  return { text: `${different} AND ${text} IS NOT NULL`, level: levels.and };
}

function isZero(expression: Expression): boolean {
  return (
    expression.kind === 'constant' && expression.value.type === 'integer' && expression.value.value === 0n
  );
}

/**
 * Writes a chain of operators. After the first operand, the same level also needs parentheses, because operators associate to the
 * left.
 */
function chain(
  names: Names,
  args: readonly Expression[],
  operator: string,
  level: number,
  use: Use,
): Written {
  const texts = args.map((arg, index) => atLeast(write(names, arg, use), index === 0 ? level : level + 1));
  return { text: texts.join(operator), level };
}

function infix(names: Names, left: Expression, operator: string, right: Expression, level: number): Written {
  return { text: `${operandText(names, left)} ${operator} ${operandText(names, right)}`, level };
}

function tight(names: Names, expression: Expression): string {
  return atLeast(write(names, expression, 'value'), levels['<']);
}

function negationText(names: Names, operand: Expression): Written {
  if (operand.kind === 'operation') {
    const [left, right] = operand.args as [Expression, Expression];
    if (operand.op === '=') return infix(names, left, '!=', right, levels['=']);
    if (operand.op === 'in') return infix(names, left, 'NOT IN', right, levels.in);
    if (operand.op === 'is null') return { text: `${tight(names, left)} IS NOT NULL`, level: levels.is };
  }
  return { text: `NOT ${atLeast(write(names, operand, 'value'), levels['='])}`, level: levels.not };
}

function betweenText(names: Names, [operand, low, high]: readonly Expression[]): Written {
  const parts = [operand, low, high].map((part) => operandText(names, part as Expression));
  return { text: `${parts[0]} BETWEEN ${parts[1]} AND ${parts[2]}`, level: levels.between };
}

function inListText(names: Names, [first, ...rest]: readonly Expression[]): Written {
  const items = rest.map((item) => valueSql(names, item)).join(', ');
  return { text: `${operandText(names, first as Expression)} IN ARRAY[${items}]`, level: levels.in };
}

/** Writes a member of JSON. There is a shorter form for `auth.parameters() ->> 'x'`. */
function memberText(names: Names, { op, args: [operand, key] }: Operation): Written {
  const isText = key?.kind === 'constant' && key.value.type === 'text' ? key.value.value : undefined;
  if (
    op === '->>' &&
    isText !== undefined &&
    operand?.kind === 'request' &&
    !operand.path &&
    !/[.$]/.test(isText)
  )
    return atom(parameterText(names, operand.part, isText));
  if (key?.kind !== 'constant' || operand === undefined)
    return atom(names.refuse('It reads JSON with a computed key, which cannot be written in SQL.'));
  const inner = atLeast(write(names, operand, 'value'), levels['->']);
  return { text: `${inner} ${op} ${literalText(key.value)}`, level: levels['->'] };
}
