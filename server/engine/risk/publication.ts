/** Decides whether conditions on rows show, by the names of columns and values, that the rows are intended for everyone. */
import { namesPublication } from '../names/intentions.ts';
import { type Expression, expressionText } from '../plan/expression.ts';

/**
 * Whether a condition is like `is_public = 1`, `visibility = 'public'` or `published_at IS NOT NULL`, or requires that a row has no
 * owner or a fixed owner.
 */
export function saysPublic(condition: Expression, owners: ReadonlySet<string>): boolean {
  switch (condition.kind) {
    case 'column':
      return namesPublication(condition.name);
    case 'operation':
      break;
    default:
      return false;
  }
  const { op, args } = condition;
  const [first] = args;
  if (op === 'and') return args.some((arg) => saysPublic(arg, owners));
  if (op === 'or') return args.every((arg) => saysPublic(arg, owners));
  if (op === 'not') {
    const isTest = first?.kind === 'operation' && first.op === 'is null';
    return isTest && first.args.some((arg) => saysPublic(arg, new Set()));
  }
  if (op === 'is null') return args.some((arg) => owners.has(expressionText(arg)));
  if (op === 'is true') return args.some((arg) => saysPublic(arg, owners));
  if (op !== '=' && op !== 'in list' && op !== '<' && op !== '<=' && op !== '>' && op !== '>=') return false;
  const constants = args.filter(({ kind }) => kind === 'constant');
  if (constants.length === 0 || constants.some(isFalse)) return false;
  const isOfOwner = op === '=' && args.some((arg) => owners.has(expressionText(arg)));
  return (
    isOfOwner ||
    args.some((arg) => arg.kind === 'column' && namesPublication(arg.name)) ||
    constants.some(isPublicText)
  );
}

function isFalse(expression: Expression): boolean {
  if (expression.kind !== 'constant') return false;
  const { value } = expression;
  if (value.type === 'text') return /^(?:0|f|false|no|private|)$/i.test(value.value);
  return value.type === 'null' || Number('value' in value ? value.value : 0) === 0;
}

function isPublicText(expression: Expression): boolean {
  return (
    expression.kind === 'constant' &&
    expression.value.type === 'text' &&
    namesPublication(expression.value.value)
  );
}
