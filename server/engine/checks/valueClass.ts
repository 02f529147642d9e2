/** The class of an expression's values, as far as the SQL and the catalog determine it. */
import type { FindColumn } from '../plan/compile/compile.ts';
import type { Expr, FunctionCall, LiteralValue } from '../sql/ast.ts';
import { functions, metadataFunctions } from '../sql/functions.ts';

/** The classes of values. Values of different classes are never equal. */
type ValueClass = 'number' | 'text' | 'blob';

/** Returns undefined if the class depends on the data; NULL is ignored. */
export function valueClassOf(expr: Expr, columnOf: FindColumn): ValueClass | undefined {
  switch (expr.kind) {
    case 'literal':
      return classOfLiteral(expr.value);
    case 'reference':
      return classOfType(columnOf(expr)?.type);
    case 'cast':
      return classOfType(expr.type.text);
    case 'call':
      return classOfCall(expr);
    case 'binary':
      if (expr.op === '||') return 'text';
      return numeric.has(expr.op) ? 'number' : undefined;
    case 'subquery': {
      const { query } = expr;
      const column = query.kind === 'select' && query.columns.length === 1 ? query.columns[0] : undefined;
      return column && valueClassOf(column.expr, columnOf);
    }
    default:
      return undefined;
  }
}

const numeric: ReadonlySet<string> = new Set([
  '+',
  '-',
  '*',
  '/',
  '%',
  '=',
  '!=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
]);

function classOfLiteral({ type }: LiteralValue): ValueClass | undefined {
  return type === 'boolean' ? 'number' : classOfType(type);
}

function classOfType(type: string | undefined): ValueClass | undefined {
  switch (type) {
    case 'integer':
    case 'real':
    case 'numeric':
      return 'number';
    case 'text':
    case 'blob':
      return type;
    default:
      return undefined;
  }
}

function classOfCall({ schema, name }: FunctionCall): ValueClass | undefined {
  const called = name.text.toLowerCase();
  // According to the standard, the claim `sub` of a token is a string.
  if (schema) return called === 'user_id' || metadataFunctions.has(called) ? 'text' : undefined;
  const result = functions.get(called)?.result;
  return classOfType(result === 'json' ? 'text' : result);
}
