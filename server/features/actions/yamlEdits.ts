/** Edits of the YAML around SQL: added and removed keys, and changed values. */
import type { Analysis, Part } from '../../engine/index.ts';
import { type Edit, shiftEdits } from '../../engine/text/edit.ts';
import { columnOf } from '../../engine/text/lines.ts';
import { shift, span } from '../../engine/text/span.ts';
import { endOfLineOf } from '../../engine/yaml/columns.ts';
import type { Path } from '../../engine/yaml/find.ts';
import type { YamlMap, YamlNode, YamlPair, YamlScalar } from '../../engine/yaml/nodes.ts';
import { type FileSection, sectionsOf } from '../../engine/yaml/parts.ts';
import { editScalar } from '../../engine/yaml/scalarEdits.ts';
import { lineEnd } from '../../engine/yaml/space.ts';

/** Replaces a value by YAML source text such as `true` or `3`. */
export function settingValue(part: Part, { span: at }: YamlNode, text: string): readonly Edit[] {
  const isMissing = at.start === at.end;
  return shiftEdits([{ span: at, text: isMissing ? ` ${text}` : text }], part.base);
}

/** Replaces the text of a scalar, keeping its style if possible. */
export function settingText(part: Part, scalar: YamlScalar, text: string): readonly Edit[] {
  const whole = { span: span(0, scalar.text.length), text };
  return shiftEdits(editScalar(part.reading, scalar, [whole]) ?? [], part.base);
}

/** Inserts an entry before the first entry of a map. */
export function insertingKey(part: Part, map: YamlMap, entry: string): readonly Edit[] {
  const source = part.reading.text;
  const first = map.pairs[0]?.key.span.start;
  if (map.flow || first === undefined) {
    const at = map.span.start + 1;
    return shiftEdits([{ span: span(at, at), text: first === undefined ? entry : `${entry}, ` }], part.base);
  }
  const indent = ' '.repeat(columnOf(source, first));
  const lines = entry.split('\n').join(endOfLineOf(source) + indent);
  const text = `${lines}${endOfLineOf(source)}${indent}`;
  return shiftEdits([{ span: span(first, first), text }], part.base);
}

/** Removes an entry with its line, or with its comma in braces. */
export function removingPair(part: Part, map: YamlMap, pair: YamlPair): readonly Edit[] {
  const source = part.reading.text;
  const index = map.pairs.indexOf(pair);
  const [before, next] = [map.pairs[index - 1], map.pairs[index + 1]];
  const { start } = pair.key.span;
  const end = Math.max(pair.value.span.end, pair.key.span.end);
  if (map.flow) {
    const whole = next ? span(start, next.key.span.start) : span(before?.value.span.end ?? start, end);
    return shiftEdits([{ span: whole, text: '' }], part.base);
  }
  const lineStart = start - columnOf(source, start);
  const isFirstInLine = source.slice(lineStart, start).trim() === '';
  const behind = behindLine(source, end);
  const whole = isFirstInLine ? span(lineStart, behind) : span(start, next?.key.span.start ?? end);
  return shiftEdits([{ span: whole, text: '' }], part.base);
}

/** Returns the position after the line break, skipping a comment at the end of the line. */
function behindLine(source: string, offset: number): number {
  const end = lineEnd(source, offset);
  const next = source.indexOf('\n', end);
  return next < 0 ? source.length : next + 1;
}

/** Returns the entry that has this node as its key or value, and the map of the entry. */
export function pairOf({
  pair,
  above,
}: Path): { readonly pair: YamlPair; readonly map: YamlMap } | undefined {
  const map = above.at(-1);
  return pair && map?.kind === 'map' ? { pair, map } : undefined;
}

/** Returns the innermost map that contains a place. */
export function mapIn(path: readonly Path[]): YamlMap | undefined {
  return path.map(({ node }) => node).findLast((node): node is YamlMap => node.kind === 'map');
}

export function entryNamed(map: YamlMap, name: string): YamlPair | undefined {
  return map.pairs.find(({ key }) => key.kind === 'scalar' && key.text === name);
}

export function sectionOf({ config }: Analysis, name: string): FileSection | undefined {
  return config && sectionsOf(config.parts).find(({ key }) => key.kind === 'scalar' && key.text === name);
}

/** Sets an option under `config`: changes it or adds it. Adds the section also if it is missing. */
export function settingOption(analysis: Analysis, name: string, value: string): readonly Edit[] {
  const section = sectionOf(analysis, 'config');
  if (section?.value.kind === 'map') {
    const pair = entryNamed(section.value, name);
    return pair
      ? settingValue(section.part, pair.value, value)
      : insertingKey(section.part, section.value, `${name}: ${value}`);
  }
  if (section) return [];
  const [first] = analysis.config ? sectionsOf(analysis.config.parts) : [];
  const at = first ? shift(first.key.span, first.part.base).start : analysis.text.length;
  if (first && columnOf(analysis.text, at) > 0) return [];
  const lineBreak = endOfLineOf(analysis.text);
  return [{ span: span(at, at), text: ['config:', `  ${name}: ${value}`, '', ''].join(lineBreak) }];
}
