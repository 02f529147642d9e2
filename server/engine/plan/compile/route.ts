/**
 * Turns the links of a branch into a route: the order in which tables are looked up, starting at the request, and the values that
 * are carried from one lookup to the next. Every match is used once: as an input of the side that is reached later, or as a key if
 * that side is the output row.
 */
import { highestFirst } from '../../ground/highestFirst.ts';
import {
  contains,
  type Expression,
  expressionText,
  isAuthData,
  type Origin,
  renumber,
} from '../expression.ts';
import { textOfLookup } from '../identity.ts';
import type { Expansion, Lookup, Meeting, RouteStep, RouteValue, RowSelection } from '../plan.ts';
import type { Branch, FilterLink, MatchLink, PlanStyle, Side } from './branches.ts';
import { rowsOf } from './dependency.ts';
import {
  type Dependency,
  type DependentValue,
  type FunctionRelation,
  request,
  type TableRelation,
} from './relations.ts';

/** A key of the output row, and the request's values for it. */
interface Key {
  readonly row: DependentValue;
  readonly meeting: Meeting;
}

export interface BranchPlan {
  /** The rows that are synced. The expressions of the keys use the same numbers. */
  readonly rows: RowSelection;
  readonly keys: readonly { readonly row: Expression; readonly meeting: Meeting }[];
  readonly filter: readonly Expression[];
  readonly steps: readonly RouteStep[];
}

/** Stores a lookup so that equal lookups are shared, and returns its index. */
type AddLookup = (lookup: Lookup) => number;

/** Rows, or elements of request data, that a branch uses in addition to the output row. */
interface Node {
  readonly rows: TableRelation | FunctionRelation;
  readonly filters: FilterLink[];
  readonly matches: MatchLink[];
  /** How much the values that are already known narrow down the rows of this table. */
  score: number;
  readonly inputs: Map<string, { own: Side; values: RouteValue[] }>;
  readonly outputs: Map<string, { index: number; value: DependentValue }>;
}

export function planBranch(
  { links }: Branch,
  output: TableRelation,
  addLookup: AddLookup,
  style: PlanStyle,
): BranchPlan {
  const nodes = collectNodes(links, output);
  const ordered = style === 'own' ? order(nodes) : orderAsReference(nodes, links, output);
  const keys = collectKeys(links, output, ordered);
  const filters = links.filter((link) => link.kind === 'filter');
  const { selection, renumbered } = selectRows(
    output,
    filters.filter(({ side }) => side.of && sourceOf(side.of) === output),
    keys.map(({ row }) => row),
  );
  return {
    rows: selection,
    keys: keys.map(({ meeting }, index) => ({ row: renumbered[index] as Expression, meeting })),
    filter: filters
      .filter(({ side }) => !side.of || sourceOf(side.of).kind === 'request')
      .map(({ side }) => side.value.expression),
    steps: toSteps(ordered, addLookup),
  };
}

/** Returns the dependency whose values the plan reads. A list that is tested as one value needs no elements. */
function sourceOf(dependency: Dependency): Dependency {
  const rows = rowsOf(dependency);
  return rows.kind === 'function' && rows.tested ? request : rows;
}

type Nodes = ReadonlyMap<Dependency, Node>;

function collectNodes(links: Branch['links'], output: TableRelation): Nodes {
  const nodes = new Map<Dependency, Node>();
  const nodeOf = (of: Dependency): Node | undefined => {
    const rows = sourceOf(of);
    if (rows.kind === 'request' || rows === output) return undefined;
    const known = nodes.get(rows);
    if (known) return known;
    const node: Node = { rows, filters: [], matches: [], score: 0, inputs: new Map(), outputs: new Map() };
    nodes.set(rows, node);
    return node;
  };
  for (const link of links) {
    if (link.kind === 'match') {
      for (const { of } of [link.left, link.right]) nodeOf(of)?.matches.push(link);
    } else if (link.side.of) nodeOf(link.side.of)?.filters.push(link);
  }
  for (const node of nodes.values()) node.score = firstScore(node);
  return nodes;
}

/** Returns the sides of a match as seen from the rows of one side. */
function sidesOf({ left, right }: MatchLink, rows: Dependency): { own: Side; other: Side } {
  return sourceOf(left.of) === rows ? { own: left, other: right } : { own: right, other: left };
}

/**
 * Returns how much the request alone narrows down a table. A claim of the token counts more than other values, because it tends to
 * be more selective. Elements of the request need no lookup.
 */
function firstScore({ rows, matches }: Node): number {
  if (rows.kind === 'function') return Number.POSITIVE_INFINITY;
  const scores = matches.map((match) => {
    const { of, value } = sidesOf(match, rows).other;
    if (sourceOf(of).kind !== 'request') return 0;
    return contains(value.expression, isAuthData) ? 3 : 2;
  });
  return scores.reduce<number>((sum, score) => sum + score, 0);
}

/** The nodes in the order in which they are read, with their positions. */
type NodeOrder = ReadonlyMap<Node, number>;

/** Chooses at each step the table that the known values narrow down most. */
function order(nodes: Nodes): NodeOrder {
  const ordered = new Map<Node, number>();
  highestFirst(nodes.values(), (next) => {
    ordered.set(next, ordered.size);
    return takeInputs(next, nodes, ordered);
  });
  return ordered;
}

/**
 * Orders the tables like the reference: a table always follows the tables with which its rows are compared, even if little narrows
 * those down.
 */
function orderAsReference(nodes: Nodes, links: Branch['links'], output: TableRelation): NodeOrder {
  const ordered = new Map<Node, number>();
  const seen = new Set<Node>();
  const visit = (node: Node): void => {
    if (seen.has(node)) return;
    seen.add(node);
    for (const match of node.matches) {
      const next = nodes.get(sourceOf(sidesOf(match, node.rows).other.of));
      if (next) visit(next);
    }
    ordered.set(node, ordered.size);
    takeInputs(node, nodes, ordered);
  };
  const isElements = ({ rows }: Node) => rows.kind === 'function';
  for (const node of nodes.values())
    if (isElements(node)) {
      seen.add(node);
      ordered.set(node, ordered.size);
    }
  const isOf = (link: Branch['links'][number], of: Dependency) =>
    link.kind === 'match' && (sourceOf(link.left.of) === of || sourceOf(link.right.of) === of);
  for (const root of [output, request])
    for (const link of links) {
      if (link.kind === 'filter' || !isOf(link, root)) continue;
      const node = nodes.get(sourceOf(sidesOf(link, root).other.of));
      if (node) visit(node);
    }
  for (const node of nodes.values()) visit(node);
  return ordered;
}

/**
 * Every match with the request, or with rows that were reached before, narrows the rows down. Returns the nodes that these rows
 * narrow down in turn.
 */
function takeInputs(node: Node, nodes: Nodes, ordered: NodeOrder): readonly Node[] {
  const narrowed: Node[] = [];
  for (const match of node.matches) {
    const { own, other } = sidesOf(match, node.rows);
    const rows = sourceOf(other.of);
    const from = nodes.get(rows);
    if (from && !ordered.has(from)) {
      from.score += 2;
      narrowed.push(from);
    }
    if (from === node || (from ? !ordered.has(from) : rows.kind !== 'request')) continue;
    const key = expressionText(own.value.expression);
    const value = carry(other, from, ordered, match.at);
    const known = node.inputs.get(key);
    if (known) known.values.push(value);
    else node.inputs.set(key, { own, values: [value] });
  }
  return narrowed;
}

/** Returns the value of a side: from the request, or an output of the step that reads its rows. */
function carry(side: Side, from: Node | undefined, ordered: NodeOrder, at: Origin): RouteValue {
  if (!from) return { kind: 'request', value: side.value.expression, at };
  const key = expressionText(side.value.expression);
  const known = from.outputs.get(key);
  const index = known?.index ?? from.outputs.size;
  if (!known) from.outputs.set(key, { index, value: side.value });
  return { kind: 'output', step: ordered.get(from) ?? 0, output: index, at };
}

/** Returns the matches with the output row. Several matches with the same expression of the row must agree. */
function collectKeys(links: Branch['links'], output: TableRelation, ordered: NodeOrder): Key[] {
  const byRows = new Map<Dependency, Node>([...ordered.keys()].map((node) => [node.rows, node]));
  const keys = new Map<string, { row: DependentValue; meeting: RouteValue[] }>();
  for (const link of links) {
    if (link.kind === 'filter') continue;
    const { own, other } = sidesOf(link, output);
    if (sourceOf(own.of) !== output) continue;
    const value = carry(other, byRows.get(sourceOf(other.of)), ordered, link.at);
    const text = expressionText(own.value.expression);
    const known = keys.get(text);
    if (known) known.meeting.push(value);
    else keys.set(text, { row: own.value, meeting: [value] });
  }
  return [...keys.values()];
}

function toSteps(ordered: NodeOrder, addLookup: AddLookup): readonly RouteStep[] {
  const steps: RouteStep[] = [];
  for (const node of ordered.keys()) steps.push(toStep(node, steps, addLookup));
  return steps;
}

function toStep(node: Node, earlier: readonly RouteStep[], addLookup: AddLookup): RouteStep {
  const { rows, filters } = node;
  const outputs = [...node.outputs.values()].map(({ value }) => value);
  if (rows.kind === 'function') return toExpansion(rows, filters, outputs);
  const inputs = [...node.inputs.values()];
  const { selection, renumbered } = selectRows(rows, filters, [
    ...inputs.map(({ own }) => own.value),
    ...outputs,
  ]);
  const lookup = {
    ...selection,
    inputs: renumbered.slice(0, inputs.length),
    outputs: renumbered.slice(inputs.length),
  };
  const meetings = inputs.map(({ values }) => values);
  return {
    kind: 'lookup',
    lookup: addLookup({ ...lookup, identity: textOfLookup(lookup) }),
    stage: stageAfter(meetings, earlier),
    inputs: meetings,
  };
}

function stageAfter(meetings: readonly Meeting[], earlier: readonly RouteStep[]): number {
  let stage = 0;
  for (const value of meetings.flat())
    if (value.kind === 'output') stage = Math.max(stage, (earlier[value.step]?.stage ?? 0) + 1);
  return stage;
}

function toExpansion(
  rows: FunctionRelation,
  filters: readonly FilterLink[],
  outputs: readonly DependentValue[],
): RouteStep {
  const numbers = new Map([[rows.id, 0]]);
  const renumberValue = (value: DependentValue) => renumber(value.expression, numbers);
  return {
    kind: 'expand',
    stage: 0,
    expansion: expansionOf(rows),
    filter: filters.map(({ side }) => renumberValue(side.value)),
    outputs: outputs.map(renumberValue),
  };
}

function expansionOf({ callee, args, at }: FunctionRelation): Expansion {
  return { function: callee, args, at };
}

/** Returns the rows of a table under some filters, with the expansions that the filters and some other values use. */
function selectRows(
  table: TableRelation,
  filters: readonly FilterLink[],
  values: readonly DependentValue[],
): { selection: RowSelection; renumbered: readonly Expression[] } {
  const conditions = filters.map(({ side }) => side.value);
  const functions = new Map<number, FunctionRelation>();
  for (const { of } of [...conditions, ...values].flatMap(({ uses }) => uses)) {
    if (of.kind === 'function' && !of.tested) functions.set(of.id, of);
  }
  const numbers = new Map([...functions.keys()].map((id, index) => [id, index]));
  const inOrder = (value: DependentValue) => renumber(value.expression, numbers);
  return {
    selection: {
      table: table.pattern,
      expansions: [...functions.values()].map(expansionOf),
      filter: conditions.map(inOrder),
      at: { text: table.text.index, span: table.syntax.nameSpan },
    },
    renumbered: values.map(inOrder),
  };
}
