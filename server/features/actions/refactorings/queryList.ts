/** Turns `query` into a list of `queries`, and a list with a single query into `query`. */
import type { Part } from '../../../engine/index.ts';
import { shiftEdits } from '../../../engine/text/edit.ts';
import { columnOf } from '../../../engine/text/lines.ts';
import { type Span, span } from '../../../engine/text/span.ts';
import { endOfLineOf } from '../../../engine/yaml/columns.ts';
import { nodesAt } from '../../../engine/yaml/find.ts';
import type { YamlMap, YamlPair, YamlScalar } from '../../../engine/yaml/nodes.ts';
import type { Action } from '../action.ts';
import { partAt } from '../subject.ts';
import { entryNamed } from '../yamlEdits.ts';
import { type ActionPlace, keepsMeaning } from './place.ts';

export function toList(place: ActionPlace): readonly Action[] {
  const found = entryAt(place, 'query');
  const value = found?.pair.value;
  if (!found || value?.kind !== 'scalar' || value.text === '') return [];
  const { part, pair } = found;
  const { key } = pair;
  const source = part.reading.text;
  const indent = columnOf(source, key.span.start) + 2;
  const text = `queries:${endOfLineOf(source)}${' '.repeat(indent)}- ${rawText(source, value, 2)}`;
  return rewrite(place, part, span(key.span.start, value.span.end), text, 'Write a list of queries');
}

export function fromList(place: ActionPlace): readonly Action[] {
  const found = entryAt(place, 'queries');
  const value = found?.pair.value;
  if (!found || value?.kind !== 'sequence' || value.items.length !== 1) return [];
  const { part, pair } = found;
  const { key } = pair;
  const [item] = value.items;
  const source = part.reading.text;
  if (item?.kind !== 'scalar' || value.flow || hasComment(source, span(key.span.end, item.span.start)))
    return [];
  const by = columnOf(source, key.span.start) - columnOf(source, value.span.start);
  const text = `query: ${rawText(source, item, by)}`;
  return rewrite(place, part, span(key.span.start, item.span.end), text, 'Write a single query');
}

interface QueryKey {
  readonly part: Part;
  readonly map: YamlMap;
  readonly pair: YamlPair;
}

/** Returns the key of a stream in block style, whose entry contains the place. */
function entryAt({ analysis, selection }: ActionPlace, name: string): QueryKey | undefined {
  const part = partAt(analysis, selection.start);
  const map =
    part &&
    nodesAt(part.reading.root, selection.start - part.base).findLast(({ node }) => node.kind === 'map');
  if (!part || map?.node.kind !== 'map' || map.node.flow) return undefined;
  const pair = entryNamed(map.node, name);
  if (
    !pair ||
    pair.key.span.start > selection.end - part.base ||
    pair.value.span.end < selection.start - part.base
  )
    return undefined;
  return { part, map: map.node, pair };
}

/** Returns the text of a scalar as it is written, with its further lines indented by more or fewer columns. */
function rawText(source: string, { span: at }: YamlScalar, by: number): string {
  const [first = '', ...rest] = source.slice(at.start, at.end).split('\n');
  return [first, ...rest.map((line) => (line.trim() === '' ? line : indentLine(line, by)))].join('\n');
}

function indentLine(line: string, by: number): string {
  return by >= 0 ? ' '.repeat(by) + line : line.replace(new RegExp(`^ {0,${-by}}`), '');
}

function hasComment(source: string, { start, end }: Span): boolean {
  return source.slice(start, end).includes('#');
}

function rewrite(
  { analysis }: ActionPlace,
  part: Part,
  at: Span,
  text: string,
  title: string,
): readonly Action[] {
  const edits = shiftEdits([{ span: at, text }], part.base);
  return keepsMeaning(analysis, edits) ? [{ title, kind: 'refactor.rewrite', edits }] : [];
}
