/**
 * Reads long texts with long lists and maps, such as ten thousand tests, in pieces of several entries. Each piece stays within the
 * limits of `compose.ts`, and a keystroke requires only one piece to be read again. A part that cannot be split at line ends is one
 * piece.
 */
import type { Finding } from '../diagnostics/diagnostics.ts';
import { append } from '../ground/append.ts';
import { lineNumbers } from '../text/lines.ts';
import { span } from '../text/span.ts';
import { findDuplicateKeys } from './duplicates.ts';
import type { YamlMap, YamlNode, YamlPair } from './nodes.ts';
import { ownCopy, shiftFinding, shiftNode } from './parts.ts';
import { type Reading, readYaml } from './read.ts';
import { findBlock, findSections } from './split.ts';

export interface LargeReading extends Reading {
  /** The parsed pieces by their text, with offsets relative to the piece. */
  readonly pieces: ReadonlyMap<string, Reading>;
}

/** The usual number of characters in a piece, which takes some milliseconds. */
const usualPiece = 16 * 1024;

/** @param known pieces from an earlier reading */
export function readLargeYaml(
  text: string,
  known: LargeReading['pieces'] = new Map(),
  longestPiece = usualPiece,
): LargeReading {
  const pieces = new Map<string, Reading>();
  const findings: Finding[] = [];
  const lineOf = lineNumbers(text);
  const root = isDivisible(text) ? readBlock(0, text.length) : readPiece(0, text.length);
  return { text, ...(root && { root }), findings, pieces };

  function readPiece(start: number, end: number): YamlNode | undefined {
    const slice = ownCopy(text.slice(start, end));
    const reading = pieces.get(slice) ?? known.get(slice) ?? readYaml(slice);
    pieces.set(slice, reading);
    for (const finding of reading.findings)
      findings.push(shiftFinding(finding, start, () => lineOf(start) - 1));
    return reading.root && shiftNode(reading.root, start);
  }

  function readBlock(start: number, end: number): YamlNode | undefined {
    const block = end - start > longestPiece ? findBlock(text, start, end) : undefined;
    if (block === undefined) return readPiece(start, end);
    const nodes = groupsOf(block.starts, end, longestPiece).flatMap((group) => {
      const isLong = group.end - group.start > longestPiece;
      return (
        (isLong && block.kind === 'map' ? readLongEntry(group) : readPiece(group.start, group.end)) ?? []
      );
    });
    return join(block.kind, nodes);
  }

  /** Reads a long entry. The value of a map's entry may start on the line after its key. */
  function readLongEntry({ start, end }: Group): YamlNode | undefined {
    const line = text.indexOf('\n', start) + 1;
    if (!endsWithKey.test(text.slice(start, line))) return readPiece(start, end);
    const heading = readPiece(start, line);
    const value = readBlock(line, end);
    const key = heading?.kind === 'map' ? heading.pairs[0]?.key : undefined;
    if (key === undefined || value === undefined) return heading;
    return { kind: 'map', flow: false, pairs: [{ key, value }], span: span(key.span.start, value.span.end) };
  }

  function join(kind: 'map' | 'sequence', nodes: readonly YamlNode[]): YamlNode | undefined {
    const [first] = nodes;
    const last = nodes.at(-1);
    if (first === undefined || last === undefined) return undefined;
    const whole = span(first.span.start, last.span.end);
    if (kind === 'sequence') {
      const items = nodes.flatMap((node) => (node.kind === 'sequence' ? node.items : []));
      return { kind, flow: false, items, span: whole };
    }
    const pairs = nodes.flatMap((node) => (node.kind === 'map' ? node.pairs : []));
    const map: YamlMap = { kind, flow: false, pairs, span: whole };
    if (nodes.length > 1) tellDuplicates(map);
    return map;
  }

  /** Reports duplicates across pieces. Duplicates inside one piece were reported when it was read. */
  function tellDuplicates({ pairs, ...map }: YamlMap): void {
    const told = new Set(
      findings.filter(({ code }) => code === 'yaml-duplicate-key').map((each) => each.span.start),
    );
    const keys = pairs.map(({ key }): YamlPair => ({ key, value: key }));
    append(
      findings,
      findDuplicateKeys(text, { ...map, pairs: keys }).filter((each) => !told.has(each.span.start)),
    );
  }
}

/** Whether a text can be split. It cannot if it contains anchors, because a piece does not see those of other pieces. */
function isDivisible(text: string): boolean {
  return !text.startsWith('\ufeff') && !anchorOrAlias.test(text) && findSections(text) !== undefined;
}

const anchorOrAlias = /(?:^|[\s[{,])[&*][^\s,\]}]/;
const endsWithKey = /:[ \t]*(?:[ \t]#.*)?\r?\n$/;

interface Group {
  readonly start: number;
  readonly end: number;
}

/** Groups entries into pieces. A long entry is a separate group. */
function groupsOf(starts: readonly number[], end: number, longest: number): readonly Group[] {
  const groups: Group[] = [];
  for (const [index, start] of starts.entries()) {
    const entry = { start, end: starts[index + 1] ?? end };
    const before = groups.at(-1);
    if (before !== undefined && entry.end - before.start <= longest)
      groups[groups.length - 1] = { start: before.start, end: entry.end };
    else groups.push(entry);
  }
  return groups;
}
