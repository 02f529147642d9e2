/** Equal keys of one map: scalars of the same value. Keys that are aliases, lists or maps are never equal. */
import type { Finding } from '../diagnostics.ts';
import { type Span, shift } from '../span.ts';
import { lineNumbers } from './lines.ts';
import type { YamlMap, YamlNode, YamlScalar } from './nodes.ts';
import type { Entry, Section } from './parts.ts';
import { walk } from './walk.ts';

/** A key, and where its part of the text starts. */
interface PlacedKey {
  readonly key: YamlNode;
  readonly base: number;
}

/** All duplicates in the maps of one reading. */
export function findDuplicateKeys(text: string, root: YamlNode): Finding[] {
  const maps: YamlMap[] = [];
  walk(root, (node) => {
    if (node.kind === 'map') maps.push(node);
  });
  const lineOf = lineNumbers(text);
  return maps.flatMap(({ pairs }) =>
    duplicatesOf(
      pairs.map(({ key }) => ({ key, base: 0 })),
      lineOf,
    ),
  );
}

/** The duplicates in maps that are spread over several parts. */
export function duplicatesAcross(text: string, sections: readonly Section[]): Finding[] {
  const keysOf = (entries: readonly Entry[]) => entries.map(({ key, part }) => ({ key, base: part.base }));
  const lineOf = lineNumbers(text);
  return [sections, ...sections.map(({ entries = [] }) => entries)].flatMap((entries) =>
    duplicatesOf(keysOf(entries), lineOf),
  );
}

/** The duplicates among the keys of one map, placed in the text. */
function duplicatesOf(keys: readonly PlacedKey[], lineOf: (offset: number) => number): Finding[] {
  const seen = new Map<YamlScalar['value'], Span>();
  const findings: Finding[] = [];
  for (const { key, base } of keys) {
    if (key.kind !== 'scalar') continue;
    const first = seen.get(key.value);
    const at = shift(key.span, base);
    if (first === undefined) {
      seen.set(key.value, at);
      continue;
    }
    findings.push({
      code: 'yaml-duplicate-key',
      span: at,
      args: { key: key.text, line: lineOf(first.start) },
      related: { span: first, message: 'It is defined here first.' },
    });
  }
  return findings;
}
