/** The outline of a file, and the names by which users can find its definitions in a workspace. */
import type { Analysis, PlacedDefinition } from '../engine/index.ts';
import type { Cte, SqlText } from '../engine/model/definition.ts';
import { queriesOf } from '../engine/model/texts.ts';
import { compareSpans, cover, type Span, shift } from '../engine/text/span.ts';
import { type TreeNode, treeOf } from './reading/tree.ts';

export type OutlineKind = 'section' | 'stream' | 'bucket definition' | 'event' | 'cte' | 'query' | 'key';

export interface OutlineNode {
  readonly kind: OutlineKind;
  readonly name: string;
  /** The text after the name: the table that the first query reads. */
  readonly detail?: string;
  readonly whole: Span;
  /** The span of the name, within the span of the whole definition. */
  readonly nameSpan: Span;
  readonly inner: readonly OutlineNode[];
}

export function outline(analysis: Analysis): readonly OutlineNode[] {
  const { config } = analysis;
  if (!config) return treeOf(analysis).flatMap(keysOf);
  const defined = [
    ...config.ctes.map(({ cte, part }) => cteNode(cte, part.base)),
    ...config.definitions.map(definitionNode),
  ];
  return treeOf(analysis).flatMap((node) => sectionOf(defined, node));
}

/** Returns the symbols that a user can search for by name. */
export function namesToFind(analysis: Analysis): readonly OutlineNode[] {
  const found: OutlineNode[] = [];
  const collect = (node: OutlineNode): void => {
    if (node.kind !== 'section' && node.kind !== 'query' && node.kind !== 'key') found.push(node);
    node.inner.forEach(collect);
  };
  if (analysis.config) outline(analysis).forEach(collect);
  return found;
}

function sectionOf(all: readonly OutlineNode[], { key, span, inner }: TreeNode): OutlineNode[] {
  if (!key || key.name === '') return [];
  const contains = (at: Span) => span.start <= at.start && at.end <= span.end;
  const defined = all.filter(({ nameSpan }) => contains(nameSpan));
  const nodes = defined.length > 0 ? defined : inner.flatMap(keysOf);
  return [{ kind: 'section', name: key.name, whole: span, nameSpan: key.span, inner: nodes }];
}

const kinds = { stream: 'stream', 'bucket-definition': 'bucket definition', event: 'event' } as const;

function definitionNode({ definition, part: { base } }: PlacedDefinition): OutlineNode {
  const { kind, name, nameSpan, span } = definition;
  const ctes = kind === 'stream' ? definition.ctes : [];
  const inner = [
    ...ctes.map((cte) => cteNode(cte, base)),
    ...queriesOf(definition).flatMap((query) => queryNode(query, base)),
  ];
  return {
    kind: kinds[kind],
    name: name === '' ? '""' : name,
    whole: shift(cover(nameSpan, span), base),
    nameSpan: shift(nameSpan, base),
    inner: inner.toSorted((a, b) => compareSpans(a.whole, b.whole)),
  };
}

function cteNode({ name, nameSpan, query }: Cte, base: number): OutlineNode {
  return {
    kind: 'cte',
    name: name === '' ? '""' : name,
    whole: shift(cover(nameSpan, query.span), base),
    nameSpan: shift(nameSpan, base),
    inner: [],
  };
}

/** Returns the outline node of a query. Its name is that of the first table that the query reads. */
function queryNode({ subject: name, span }: SqlText, base: number): OutlineNode[] {
  if (name === undefined || name === '') return [];
  const whole = shift(span, base);
  return [{ kind: 'query', name, whole, nameSpan: whole, inner: [] }];
}

function keysOf({ key, span, inner }: TreeNode): OutlineNode[] {
  const below = inner.flatMap(keysOf);
  if (!key || key.name === '') return below;
  return [{ kind: 'key', name: key.name, whole: span, nameSpan: key.span, inner: below }];
}
