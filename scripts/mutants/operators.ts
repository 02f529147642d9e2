/**
 * The mutations of the product: small mistakes that people make at boundaries and in guards. Changes that tests ignore for good
 * reason are left out: those in messages, logs and arbitrary numbers.
 */
import { childOf, childrenOf, isNode, type Node, type Place } from './syntax.ts';

/** Returns the texts that may replace a node. */
type Operator = (place: Place, text: (node: Node) => string) => readonly string[];

export const operators: Readonly<Record<string, Operator>> = {
  comparison: ({ node }, text) =>
    node.type === 'BinaryExpression' ? withOtherOperator(node, comparisons, text) : [],

  arithmetic: ({ node }, text) =>
    node.type === 'BinaryExpression' && !isText(node) ? withOtherOperator(node, arithmetic, text) : [],

  assignment: ({ node }, text) =>
    node.type === 'AssignmentExpression' && !isText(node) ? withOtherOperator(node, assignments, text) : [],

  'one operand': ({ node }, text) =>
    node.type === 'LogicalExpression'
      ? // An object needs parentheses, because it would be parsed as a block.
        [childOf(node, 'left'), childOf(node, 'right')].map((each) =>
          each.type === 'ObjectExpression' ? `(${text(each)})` : text(each),
        )
      : [],

  condition: ({ node, parent, key }) => {
    if (key !== 'test' || node.type === 'Literal') return [];
    if (['IfStatement', 'ConditionalExpression'].includes(parent.type)) return ['true', 'false'];
    return ['ForStatement', 'WhileStatement', 'DoWhileStatement'].includes(parent.type) ? ['false'] : [];
  },

  negation: ({ node, parent }, text) => {
    if (node.type === 'UnaryExpression' && node.operator === '!') return [text(childOf(node, 'argument'))];
    const isPredicate = /^(?:has|includes|(?:is|may|can)[A-Z]\w*)$/.test(calledName(node));
    const isOperand = ['UnaryExpression', 'AwaitExpression', 'ExpressionStatement'].includes(parent.type);
    return isPredicate && !isOperand ? [`!${text(node)}`] : [];
  },

  number: ({ node, parent }) => {
    const { type, value } = node;
    if (type !== 'Literal' || (typeof value !== 'number' && typeof value !== 'bigint')) return [];
    // Larger numbers are sizes and durations. Numbers in conversions are radices and widths.
    if (value > 2 || /^(?:toString|stringify|padStart|padEnd|toFixed)$/.test(calledName(parent))) return [];
    return [typeof value === 'bigint' ? `${value + 1n}n` : String(value + 1)];
  },

  boolean: ({ node, key }) =>
    typeof node.value === 'boolean' && key !== 'test' ? [String(!node.value)] : [],

  step: ({ node }, text) =>
    node.type === 'UpdateExpression'
      ? [text(node).replace(/\+\+|--/, (step) => (step === '++' ? '--' : '++'))]
      : [],

  call: ({ node, isInChain }, text) => {
    const name = calledName(node);
    const callee = isInChain || name === '' ? node : childOf(node, 'callee');
    if (callee.type !== 'MemberExpression') return [];
    const receiver = text(childOf(callee, 'object'));
    if (removable.includes(name)) return [receiver];
    const other = calls.get(name);
    return other === undefined ? [] : [`${receiver}.${other}${text(node).slice(callee.end - node.start)}`];
  },

  'part of a key': ({ node, parent }, text) => {
    const quasis = parent.type === 'TaggedTemplateExpression' ? [] : childrenOf(node, 'quasis');
    // Messages and statements contain spaces.
    if (quasis.length < 3 || quasis.some((quasi) => /\s/.test(text(quasi)))) return [];
    const whole = text(node);
    return childrenOf(node, 'expressions').map(({ start, end }) => {
      const before = whole.slice(0, start - node.start).replace(/\$\{\s*$/, '');
      return `${before}${whole.slice(end - node.start).replace(/^\s*\}/, '')}`;
    });
  },

  statement: ({ node }, text) => {
    if (['ThrowStatement', 'BreakStatement', 'ContinueStatement'].includes(node.type)) return [';'];
    if (node.type !== 'ExpressionStatement' || /\blog\b|\bsuper\b/i.test(text(node))) return [];
    const expression = childOf(node, 'expression');
    const { type } = expression.type === 'AwaitExpression' ? childOf(expression, 'argument') : expression;
    return ['CallExpression', 'AssignmentExpression', 'UpdateExpression'].includes(type) ? [';'] : [];
  },
};

type Others = Readonly<Record<string, readonly string[]>>;

const comparisons: Others = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
};

const arithmetic: Others = {
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&': ['|'],
  '|': ['&'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
};

const assignments: Others = {
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '|=': ['&='],
  '&=': ['|='],
  '||=': ['&&='],
  '&&=': ['||='],
  '??=': ['='],
};

/** Methods whose calls are replaced with their receiver. */
const removable = ['filter', 'slice', 'sort', 'toSorted', 'reverse', 'toReversed', 'trim'];

const calls = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
  ['ceil', 'floor'],
  ['floor', 'ceil'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['push', 'unshift'],
  ['pop', 'shift'],
  ['shift', 'pop'],
  ['find', 'findLast'],
  ['findLast', 'find'],
  ['indexOf', 'lastIndexOf'],
]);

function withOtherOperator(node: Node, others: Others, text: (node: Node) => string): readonly string[] {
  const [left, right] = [text(childOf(node, 'left')), text(childOf(node, 'right'))];
  return (others[String(node.operator)] ?? []).map((other) => `${left} ${other} ${right}`);
}

/** Whether `+` joins texts. */
function isText(value: unknown): boolean {
  if (!isNode(value)) return false;
  const { type, left, right, expression } = value;
  const isLiteral = type === 'TemplateLiteral' || typeof value.value === 'string';
  return isLiteral || [left, right, expression].some(isText);
}

/** Returns the name of the called function or method; empty if the node is not a call or if the name is computed. */
function calledName({ type, callee }: Node): string {
  if (type !== 'CallExpression' || !isNode(callee)) return '';
  const named = callee.type === 'MemberExpression' && callee.computed === false ? callee.property : callee;
  return isNode(named) && typeof named.name === 'string' ? named.name : '';
}
