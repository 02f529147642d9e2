/** Whether evaluating an expression can fail for some row, so that it may not be skipped. */
import { childrenOf, type Expression } from '../expression.ts';

/** Functions that read no JSON, no UUID and no geometry. */
const safeFunctions: ReadonlySet<string> = new Set([
  'upper',
  'lower',
  'length',
  'substring',
  'instr',
  'hex',
  'base64',
  'typeof',
  'ifnull',
  'iif',
  'datetime',
  'unixepoch',
]);

const safeOperators: ReadonlySet<string> = new Set([
  'and',
  'or',
  'not',
  'is null',
  'is true',
  'is false',
  '+',
  '-',
  '*',
  '/',
  '||',
]);

export function canFail(expression: Expression): boolean {
  return failsItself(expression) || childrenOf(expression).some(canFail);
}

function failsItself(expression: Expression): boolean {
  switch (expression.kind) {
    case 'operation':
      return !safeOperators.has(expression.op) && !comparesWithoutBlobs(expression);
    case 'function':
      return !safeFunctions.has(expression.name);
    case 'case':
      return expression.operand !== undefined;
    default:
      return false;
  }
}

/** Two blobs cannot be compared: it takes one side that is surely none. */
function comparesWithoutBlobs({ op, args }: Expression & { kind: 'operation' }): boolean {
  return ['=', '<', '<=', '>', '>='].includes(op) && args.some(isNeverBlob);
}

function isNeverBlob(expression: Expression): boolean {
  switch (expression.kind) {
    case 'constant':
    case 'request':
    case 'metadata':
    case 'element':
      return true;
    case 'operation':
      return true;
    case 'cast':
      return expression.type !== 'blob';
    case 'function':
      return !['ifnull', 'iif', 'uuid_blob'].includes(expression.name);
    default:
      return false;
  }
}
