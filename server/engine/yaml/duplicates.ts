/** Finds duplicate keys in a map: scalars with the same value. Keys that are aliases, lists or maps never count as equal. */
import type { Finding } from '../diagnostics/diagnostics.ts';
import { lineNumbers } from '../text/lines.ts';
import { shift } from '../text/span.ts';
import type { YamlMap, YamlNode, YamlPair, YamlScalar } from './nodes.ts';
import { walk } from './walk.ts';

/** A key, and the start of its part in the text. */
interface PlacedKey {
  readonly key: YamlNode;
  readonly part: { readonly base: number };
}

/** Returns all duplicates in the maps of one parsed text. */
export function findDuplicateKeys(text: string, root: YamlNode): Finding[] {
  const maps: YamlMap[] = [];
  walk(root, (node) => {
    if (node.kind === 'map') maps.push(node);
  });
  const lineOf = lineNumbers(text);
  const part = { base: 0 };
  return maps.flatMap(({ pairs }) => duplicatesOf([{ part, pairs }], lineOf));
}

/** A subset of the keys of a map. */
export interface SomeKeys {
  readonly part: { readonly base: number };
  readonly pairs: readonly Pick<YamlPair, 'key'>[];
}

/** Returns the duplicates among the keys of one map, with spans in the text. */
export function duplicatesOf(maps: readonly SomeKeys[], lineOf: (offset: number) => number): Finding[] {
  const seen = new Map<YamlScalar['value'], PlacedKey>();
  const findings: Finding[] = [];
  for (const { part, pairs } of maps)
    for (const { key } of pairs) {
      if (key.kind !== 'scalar') continue;
      const first = seen.get(key.value);
      if (first === undefined) seen.set(key.value, { key, part });
      else findings.push(duplicateKey(key.text, { key, part }, first, lineOf));
    }
  return findings;
}

function duplicateKey(
  key: string,
  second: PlacedKey,
  first: PlacedKey,
  lineOf: (offset: number) => number,
): Finding {
  const at = shift(first.key.span, first.part.base);
  return {
    code: 'yaml-duplicate-key',
    span: shift(second.key.span, second.part.base),
    args: { key, line: lineOf(at.start) },
    related: { span: at, message: 'The key is first defined here.' },
  };
}
