/**
 * Merges streams that read the same lookups into one stream with several queries, because PowerSync's service reads a lookup once
 * for each stream.
 */
import type { PlacedDefinition } from '../../../engine/index.ts';
import { streamLines } from '../../../engine/migrate/yamlText.ts';
import type { StreamDefinition } from '../../../engine/model/definition.ts';
import { shiftEdits } from '../../../engine/text/edit.ts';
import { columnOf } from '../../../engine/text/lines.ts';
import { span } from '../../../engine/text/span.ts';
import { endOfLineOf } from '../../../engine/yaml/columns.ts';
import { nodesAt } from '../../../engine/yaml/find.ts';
import { pairOf, removingPair } from '../yamlEdits.ts';
import type { Remedy, RemedyPlace } from './remedy.ts';

/** Offers to merge streams that clients get without subscribing and that have the same priority, so no app has to change. */
export function oneStream({ analysis, placed }: RemedyPlace): readonly Remedy[] {
  const { config } = analysis;
  const lookups = new Set(placed.plan?.lookups.map(({ identity }) => identity));
  const alike = (config?.definitions ?? []).filter(
    (each) =>
      isPlain(each, placed) &&
      entryOf(each) !== undefined &&
      each.plan?.lookups.some(({ identity }) => lookups.has(identity)),
  );
  if (alike.length < 2 || !alike.includes(placed)) return [];
  const edits = alike.flatMap((each) => {
    const entry = entryOf(each);
    if (entry === undefined) return [];
    const { part } = each;
    if (each !== placed) return removingPair(part, entry.map, entry.pair);
    const source = part.reading.text;
    const { start } = entry.pair.key.span;
    const indent = columnOf(source, start) - 2;
    const lines = streamLines(source.slice(start, entry.pair.key.span.end), textOf(alike, placed));
    const text = lines
      .map((line) => (line === '' ? line : shiftLine(line, indent)))
      .join(endOfLineOf(source));
    return shiftEdits([{ span: span(start, entry.pair.value.span.end), text: text.trimStart() }], part.base);
  });
  const names = alike.map(({ definition }) => definition.name);
  const title = `Combine ${alike.length} streams into one with several queries`;
  return [{ title, edits, before: names, after: [placed.definition.name] }];
}

function shiftLine(line: string, by: number): string {
  return by >= 0 ? ' '.repeat(by) + line : line.slice(Math.min(-by, line.length - line.trimStart().length));
}

function isPlain({ definition, part }: PlacedDefinition, { definition: own }: PlacedDefinition): boolean {
  if (definition.kind !== 'stream' || own.kind !== 'stream') return false;
  const { start, end } = definition.span;
  const hasComment = part.reading.text.slice(start, end).includes('#');
  const isAlike =
    definition.autoSubscribe &&
    own.autoSubscribe &&
    definition.priority === own.priority &&
    definition.acceptDangerous === own.acceptDangerous;
  return isAlike && definition.ctes.length === 0 && !hasComment;
}

function entryOf({ definition: { nameSpan }, part }: PlacedDefinition) {
  const path = nodesAt(part.reading.root, nameSpan.start);
  const key = path.findLast(
    ({ node }) => node.span.start === nameSpan.start && node.span.end === nameSpan.end,
  );
  const entry = key && pairOf(key);
  return entry === undefined || entry.map.flow || entry.pair.value.kind !== 'map' || entry.pair.value.flow
    ? undefined
    : entry;
}

function textOf(alike: readonly PlacedDefinition[], { definition }: PlacedDefinition) {
  const { priority, acceptDangerous } = definition as StreamDefinition;
  return {
    name: definition.name,
    autoSubscribe: true,
    priority,
    acceptDangerous,
    ctes: [],
    queries: alike.flatMap((each) =>
      (each.definition as StreamDefinition).queries.map(({ sql }) => sql.text.trim()),
    ),
  };
}
