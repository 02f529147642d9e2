/** A file as parts that were read on their own, and its sections put together again from them. */
import { type Span, shift, span } from '../text/span.ts';
import type { YamlNode, YamlPair } from './nodes.ts';
import { type Reading, readYaml } from './read.ts';
import { type Divisible, type Piece, splitText } from './split.ts';

/** Spans in `reading` count from `base`. */
export interface Part {
  readonly base: number;
  readonly reading: Reading;
  /** The keys above the part's root: none for top-level sections, the section's for one of its entries. */
  readonly path: readonly string[];
  /** Only the line of a section's key: its entries follow as parts. Its value is not really null. */
  readonly heading: boolean;
}

/** What was read before, by text. */
type Readings = ReadonlyMap<string, Reading>;

/** A key and its value in a map that may be spread over several parts. */
export interface Entry extends YamlPair {
  readonly part: Part;
}

export interface FileSection extends Entry {
  /** Absent if the value is not a map. */
  readonly entries?: readonly Entry[];
  /** The inner content of the section, in the file. */
  readonly content: Span;
}

export function readParts(text: string, divisible: Divisible, known: Readings): Part[] {
  return splitText(text, divisible).map((piece) => readPart(text, piece, known));
}

function readPart(text: string, { base, end, path, heading }: Piece, known: Readings): Part {
  const slice = text.slice(base, end);
  return { base, path, heading, reading: known.get(slice) ?? readYaml(ownCopy(slice)) };
}

/** A slice keeps the text that it was cut from in memory, and a part outlives many versions of its file. */
function ownCopy(slice: string): string {
  return JSON.parse(JSON.stringify(slice));
}

/** The sections of a file; none if its root is not a map. */
export function sectionsOf(parts: readonly Part[]): FileSection[] {
  return parts.flatMap((part, index) => {
    if (part.path.length > 0) return [];
    const entries = part.heading ? entriesBelow(parts, index) : [];
    return pairsOf(part).map((pair) =>
      entries.length > 0 ? spreadSection(part, pair, entries) : sectionOf(part, pair),
    );
  });
}

function sectionOf(part: Part, pair: YamlPair): FileSection {
  const content = shift(pair.value.span, part.base);
  if (pair.value.kind !== 'map') return { part, ...pair, content };
  return { part, ...pair, content, entries: pair.value.pairs.map((inner) => ({ part, ...inner })) };
}

/** The entries in the parts that follow a heading. */
function entriesBelow(parts: readonly Part[], heading: number): Entry[] {
  let end = heading + 1;
  while ((parts[end]?.path.length ?? 0) > 0) end++;
  return parts.slice(heading + 1, end).flatMap(entriesOf);
}

function entriesOf(part: Part): Entry[] {
  return pairsOf(part).map(({ key, value }) => ({ part, key, value }));
}

function pairsOf({ reading: { root } }: Part): readonly YamlPair[] {
  return root?.kind === 'map' ? root.pairs : [];
}

function spreadSection(part: Part, pair: YamlPair, entries: readonly Entry[]): FileSection {
  const [first] = entries;
  const last = entries.at(-1);
  if (first === undefined || last === undefined) return sectionOf(part, pair);
  const content = span(spanInFile(first, first.key).start, spanInFile(last, last.value).end);
  return { part, ...pair, entries, content };
}

/** Where a node of an entry lies in the file. */
export function spanInFile({ part }: Entry, node: YamlNode): Span {
  return shift(node.span, part.base);
}
