/** Decides whether the evaluation of an expression can fail for some row, in which case it must not be skipped. */
import { childrenOf, type Expression } from '../expression.ts';

/** The functions without parsing of JSON, UUIDs or geometries. */
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

/** Whether a comparison cannot have two blobs, which cannot be compared. One side that is certainly not a blob is enough. */
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
