/** Splits a file into parts that are read separately, and combines their sections again. */
import type { Finding } from '../diagnostics/diagnostics.ts';
import { changeBetween } from '../text/change.ts';
import { type Span, shift, span } from '../text/span.ts';
import type { YamlNode, YamlPair } from './nodes.ts';
import { type Reading, readYaml } from './read.ts';
import { type Divisible, type Piece, splitText, type TopSection } from './split.ts';

/** A part of a file. The spans in `reading` are relative to `base`. */
export interface Part {
  readonly base: number;
  readonly reading: Reading;
  /** The keys above the root of the part: none for a top-level section, and the section's key for one of its entries. */
  readonly path: readonly string[];
  /** Whether the part is only the line of a section's key. Its entries follow as parts, so its value is not really null. */
  readonly heading: boolean;
}

/** An earlier version of a file. */
interface FileBefore {
  readonly text: string;
  readonly parts: readonly Part[];
}

interface ReadParts {
  /** The parts of the entire file, in reading order. */
  readonly parts: readonly Part[];
  /** For each part, the index of the former part with the same text, whose parsed YAML is reused; -1 if there was none. */
  readonly origins: ArrayLike<number>;
}

/** A key and its value, in a map that may be spread over several parts. */
export interface Entry extends YamlPair {
  readonly part: Part;
}

export interface FileSection extends Entry {
  /** Absent if the value is not a map, which {@link isMap} checks without creating the list. */
  readonly entries?: readonly Entry[];
  readonly isMap: boolean;
  /** The range of parts that contain the entries: the first index (inclusive) and the last (exclusive). */
  readonly range: readonly [first: number, behind: number];
  /** The span of the section's content in the file. */
  readonly content: Span;
}

/** Reads the parts. Only those between the first and the last change of the text are searched or read. */
export function readParts(
  text: string,
  divisible: Divisible,
  before: FileBefore | undefined,
  sections?: readonly TopSection[],
): ReadParts {
  const pieces = splitText(text, divisible, sections);
  const origins = new Int32Array(pieces.length).fill(-1);
  if (before !== undefined) findOrigins(pieces, text, before, origins);
  const parts = pieces.map(({ base, end, path, heading }, index): Part => {
    const reading = before?.parts[origins[index] ?? -1]?.reading ?? readYaml(ownCopy(text.slice(base, end)));
    return { base, path, heading, reading };
  });
  return { parts, origins };
}

function findOrigins(pieces: readonly Piece[], text: string, before: FileBefore, origins: Int32Array): void {
  const { start, endBefore, endNow } = changeBetween(before.text, text);
  const moved = endNow - endBefore;
  const old = before.parts;
  const isSame = (piece: Piece | undefined, part: Part | undefined, by: number): boolean =>
    piece !== undefined &&
    part !== undefined &&
    piece.base === part.base + by &&
    piece.end - piece.base === part.reading.text.length &&
    piece.heading === part.heading;
  let first = 0;
  while ((pieces[first]?.end ?? Number.POSITIVE_INFINITY) <= start && isSame(pieces[first], old[first], 0)) {
    origins[first] = first;
    first += 1;
  }
  let [behind, behindOld] = [pieces.length, old.length];
  while (
    behind > first &&
    behindOld > first &&
    (pieces[behind - 1]?.base ?? 0) >= endNow &&
    isSame(pieces[behind - 1], old[behindOld - 1], moved)
  ) {
    behind -= 1;
    behindOld -= 1;
    origins[behind] = behindOld;
  }
  const between = new Map<string, number>();
  for (let at = first; at < behindOld; at += 1) between.set(old[at]?.reading.text ?? '', at);
  for (let at = first; at < behind; at += 1) {
    const { base = 0, end = 0 } = pieces[at] ?? {};
    const own = text.slice(base, end);
    origins[at] = between.get(own) ?? -1;
    // Parsed YAML belongs to only one part, because it contains the position of that part.
    between.delete(own);
  }
}

/** Copies a slice. A slice keeps the text from which it was cut in memory, and a part outlives many versions of its file. */
export function ownCopy(slice: string): string {
  return JSON.parse(JSON.stringify(slice));
}

/** Returns the sections of a file; none if the root is not a map. */
export function sectionsOf(parts: readonly Part[]): FileSection[] {
  const sections: FileSection[] = [];
  for (const [index, part] of parts.entries()) {
    if (part.path.length > 0) continue;
    const range = part.heading ? rangeBelow(parts, index) : undefined;
    for (const pair of pairsOf(part))
      sections.push(
        (range && spreadSection(parts, part, pair, range)) ?? sectionOf(part, pair, [index, index + 1]),
      );
  }
  return sections;
}

function sectionOf(part: Part, pair: YamlPair, range: FileSection['range']): FileSection {
  const content = shift(pair.value.span, part.base);
  if (pair.value.kind !== 'map') return { part, ...pair, range, content, isMap: false };
  const entries = pair.value.pairs.map((inner) => ({ part, ...inner }));
  return { part, ...pair, range, content, isMap: true, entries };
}

/** Returns the range of parts that follow a heading. */
function rangeBelow(parts: readonly Part[], heading: number): FileSection['range'] {
  let behind = heading + 1;
  while ((parts[behind]?.path.length ?? 0) > 0) behind++;
  return [heading + 1, behind];
}

export function entriesIn(part: Part): readonly Entry[] {
  return pairsOf(part).map(({ key, value }) => ({ part, key, value }));
}

/** Returns the top-level keys of one part, with their values. */
export function pairsOf(part: Part | undefined): readonly YamlPair[] {
  const root = part?.reading.root;
  return root?.kind === 'map' ? root.pairs : [];
}

/** Returns undefined if there are no entries. The list is created on demand, because a large file has very many entries. */
function spreadSection(
  parts: readonly Part[],
  part: Part,
  pair: YamlPair,
  range: FileSection['range'],
): FileSection | undefined {
  let [first, behind] = range;
  while (first < behind && pairsOf(parts[first]).length === 0) first += 1;
  while (first < behind && pairsOf(parts[behind - 1]).length === 0) behind -= 1;
  const [from, to] = [parts[first], parts[behind - 1]];
  const [key, value] = [pairsOf(from)[0]?.key, pairsOf(to).at(-1)?.value];
  if (first === behind || !from || !to || !key || !value) return undefined;
  let entries: readonly Entry[] | undefined;
  return {
    part,
    ...pair,
    range,
    isMap: true,
    content: span(from.base + key.span.start, to.base + value.span.end),
    get entries() {
      entries ??= parts.slice(...range).flatMap(entriesIn);
      return entries;
    },
  };
}

/** Returns the span in the file for a node of an entry. */
export function spanInFile({ part }: Entry, node: YamlNode): Span {
  return shift(node.span, part.base);
}

/** Shifts a node of a piece to its place in the text. */
export function shiftNode(node: YamlNode, by: number): YamlNode {
  if (by === 0) return node;
  const placed = shift(node.span, by);
  switch (node.kind) {
    case 'map':
      return {
        ...node,
        span: placed,
        pairs: node.pairs.map(({ key, value }) => ({ key: shiftNode(key, by), value: shiftNode(value, by) })),
      };
    case 'sequence':
      return { ...node, span: placed, items: node.items.map((item) => shiftNode(item, by)) };
    default:
      return { ...node, span: placed };
  }
}

/** @param linesBefore returns the number of lines before the piece */
export function shiftFinding(finding: Finding, by: number, linesBefore: () => number): Finding {
  if (by === 0) return finding;
  const { related, args } = finding;
  return {
    ...finding,
    span: shift(finding.span, by),
    ...(related && { related: { ...related, span: shift(related.span, by) } }),
    ...(hasLine(args) && { args: { ...args, line: args.line + linesBefore() } }),
  };
}

function hasLine(args: object): args is { line: number } {
  return 'line' in args && typeof args.line === 'number';
}
