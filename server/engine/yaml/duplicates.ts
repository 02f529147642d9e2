/** Equal keys of one map: scalars of the same value. Keys that are aliases, lists or maps are never equal. */
import type { Finding } from '../diagnostics.ts';
import { type Span, shift } from '../span.ts';
import { lineNumbers } from './lines.ts';
import type { YamlNode, YamlScalar } from './nodes.ts';
import type { Entry, Section } from './parts.ts';
import { walk } from './walk.ts';

/** A key, and where its part of the text starts. */
interface PlacedKey {
  readonly key: YamlNode;
  readonly base: number;
}

/** All duplicates in the maps of one reading. */
export function findDuplicateKeys(text: string, root: YamlNode): Finding[] {
  const findings: Finding[] = [];
  walk(root, (node) => {
    if (node.kind !== 'map') return;
    findings.push(
      ...duplicatesOf(
        text,
        node.pairs.map(({ key }) => ({ key, base: 0 })),
      ),
    );
  });
  return findings;
}

/** The duplicates in maps that are spread over several parts. */
export function duplicatesAcross(text: string, sections: readonly Section[]): Finding[] {
  const keysOf = (entries: readonly Entry[]) => entries.map(({ key, part }) => ({ key, base: part.base }));
  return [sections, ...sections.map(({ entries = [] }) => entries)].flatMap((entries) =>
    duplicatesOf(text, keysOf(entries)),
  );
}

/** The duplicates among the keys of one map, placed in the text. */
function duplicatesOf(text: string, keys: readonly PlacedKey[]): Finding[] {
  const seen = new Map<YamlScalar['value'], Span>();
  const findings: Finding[] = [];
  let lineOf: ((offset: number) => number) | undefined;
  for (const { key, base } of keys) {
    if (key.kind !== 'scalar') continue;
    const first = seen.get(key.value);
    const at = shift(key.span, base);
    if (first === undefined) {
      seen.set(key.value, at);
      continue;
    }
    lineOf ??= lineNumbers(text);
    findings.push({
      code: 'yaml-duplicate-key',
      span: at,
      args: { key: key.text, line: lineOf(first.start) },
      related: { span: first, message: 'It is defined here first.' },
    });
  }
  return findings;
}
