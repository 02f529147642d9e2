/**
 * Converts edits of a scalar's value to edits of its source, for each of the five styles. Every result is parsed again to check
 * that the value is the intended one and that nothing else changed. If the style cannot represent the new value, such as ` #` in a
 * plain scalar, the scalar gets another style.
 */
import { applyEdits, type Edit } from '../text/edit.ts';
import { columnOfNode, columnOfText, endOfLineOf } from './columns.ts';
import type { YamlNode, YamlPair, YamlScalar } from './nodes.ts';
import { type Reading, readYaml } from './read.ts';
import { sourceMap } from './sourceMap.ts';

/** Returns edits of the parsed text for edits of the value; undefined if that is not possible. */
export function editScalar(
  reading: Reading,
  scalar: YamlScalar,
  edits: readonly Edit[],
): readonly Edit[] | undefined {
  const wanted = applyEdits(scalar.text, edits);
  for (const write of ways) {
    const made = write({ source: reading.text, scalar, edits, wanted });
    const after = readYaml(applyEdits(reading.text, made));
    if (isOnlyChange(reading, after, scalar, (text) => text === wanted)) return made;
  }
  return undefined;
}

interface Wish {
  readonly source: string;
  readonly scalar: YamlScalar;
  readonly edits: readonly Edit[];
  readonly wanted: string;
}

const ways: readonly ((wish: Wish) => readonly Edit[])[] = [inPlace, asBlock, inDoubleQuotes];

function inPlace({ source, scalar, edits }: Wish): readonly Edit[] {
  const place = sourceMap(source, scalar);
  const lineBreak = `${endOfLineOf(source)}${' '.repeat(columnOfText(source, scalar))}`;
  return edits.map((edit) => ({ span: place(edit.span), text: writeScalar(edit.text, scalar, lineBreak) }));
}

/** Writes a text as a scalar. Outside of literal blocks, a single line break would be read as a blank. */
function writeScalar(text: string, { style }: YamlScalar, lineBreak: string): string {
  switch (style) {
    case 'literal':
      return text.replaceAll('\n', lineBreak);
    case 'single':
      return text.replaceAll("'", "''");
    case 'double':
      return JSON.stringify(text).slice(1, -1);
    default:
      return text;
  }
}

function asBlock({ source, scalar, wanted }: Wish): readonly Edit[] {
  const lineEnd = endOfLineOf(source);
  const indent = ' '.repeat(columnOfNode(source, scalar) + 2);
  const lines = wanted.replace(/\n$/, '').split('\n');
  const header = wanted.endsWith('\n') ? '|' : '|-';
  const text = [header, ...lines.map((line) => (line === '' ? '' : indent + line))].join(lineEnd);
  return [{ span: scalar.span, text }];
}

function inDoubleQuotes({ scalar, wanted }: Wish): readonly Edit[] {
  return [{ span: scalar.span, text: JSON.stringify(wanted) }];
}

/** Whether two parsed texts differ only in the value of one scalar, which passes the test. */
export function isOnlyChange(
  before: Reading,
  after: Reading,
  scalar: YamlScalar,
  isWanted: (text: string) => boolean,
): boolean {
  if (!before.root || !after.root || after.findings.length > before.findings.length) return false;
  return isSame(before.root, after.root);

  function isSame(one: YamlNode, other: YamlNode): boolean {
    if (one === scalar) return other.kind === 'scalar' && isWanted(other.text);
    if (one.kind === 'scalar')
      return other.kind === 'scalar' && other.text === one.text && other.value === one.value;
    if (one.kind === 'alias') return other.kind === 'alias' && other.name === one.name;
    if (one.kind === 'sequence') return other.kind === 'sequence' && areSame(one.items, other.items);
    return other.kind === 'map' && areSame(one.pairs.flatMap(nodesOf), other.pairs.flatMap(nodesOf));
  }

  function areSame(ones: readonly YamlNode[], others: readonly YamlNode[]): boolean {
    return (
      ones.length === others.length && ones.every((one, index) => isSame(one, others[index] as YamlNode))
    );
  }
}

function nodesOf({ key, value }: YamlPair): YamlNode[] {
  return [key, value];
}
