/** The syntax tree of a source, with only what operators need: expressions and statements, without types and imports. */
import { parseAst } from 'vitest/node';

/** A node as the parser returns it (ESTree). Offsets are half-open. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export interface Place {
  readonly node: Node;
  readonly parent: Node;
  /** The property of the parent that contains the node. */
  readonly key: string;
  /** Whether the node is inside a chain such as `a?.b.c`, from which no part can be removed. */
  readonly isInChain: boolean;
}

/** Properties that contain a name rather than an expression, unless they are computed. */
const nameKeys = ['key', 'property'];

export function placesIn(text: string): readonly Place[] {
  const program = parseAst(text, { lang: 'ts', preserveParens: true }) as unknown as Node;
  const places: Place[] = [];
  const visit = (parent: Node, isInChain: boolean): void => {
    for (const [key, value] of Object.entries(parent)) {
      if (nameKeys.includes(key) && parent.computed === false) continue;
      for (const child of Array.isArray(value) ? value : [value]) {
        if (!isNode(child)) continue;
        const node = withoutTypes(child);
        if (node === undefined) continue;
        places.push({ node, parent, key, isInChain });
        visit(node, node.type === 'ChainExpression' || (isInChain && isLink(node, key)));
      }
    }
  };
  visit(program, false);
  return places;
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function withoutTypes(node: Node): Node | undefined {
  if (node.type === 'ImportDeclaration' || node.type === 'ImportExpression') return undefined;
  if (!node.type.startsWith('TS')) return node;
  // The node may be `x as T`, `x satisfies T` or `x!`.
  return isNode(node.expression) ? withoutTypes(node.expression) : undefined;
}

export function childOf(node: Node, key: string): Node {
  const child = node[key];
  if (!isNode(child)) throw new Error(`A ${node.type} has no ${key}.`);
  return child;
}

export function childrenOf(node: Node, key: string): readonly Node[] {
  const children = node[key];
  return Array.isArray(children) ? children.filter(isNode) : [];
}

/** Whether a node continues the chain on its left. Arguments and computed keys start new chains. */
function isLink({ type }: Node, key: string): boolean {
  const isLeft = key === 'callee' || key === 'object' || key === 'expression';
  return isLeft && (type === 'MemberExpression' || type === 'CallExpression');
}
