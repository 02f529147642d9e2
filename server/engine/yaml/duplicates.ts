/** Equal keys of one map: scalars of the same value. Keys that are aliases, lists or maps are never equal. */
import type { Finding } from '../diagnostics/diagnostics.ts';
import { lineNumbers } from '../text/lines.ts';
import { shift } from '../text/span.ts';
import type { YamlMap, YamlNode, YamlScalar } from './nodes.ts';
import { walk } from './walk.ts';

/** A key, and where its part of the text starts. */
interface PlacedKey {
  readonly key: YamlNode;
  readonly part: { readonly base: number };
}

/** A key of the file with the keys below it, which may lie in other parts. */
interface SpreadMap extends PlacedKey {
  readonly entries?: readonly PlacedKey[];
}

/** All duplicates in the maps of one reading. */
export function findDuplicateKeys(text: string, root: YamlNode): Finding[] {
  const maps: YamlMap[] = [];
  walk(root, (node) => {
    if (node.kind === 'map') maps.push(node);
  });
  const lineOf = lineNumbers(text);
  const part = { base: 0 };
  return maps.flatMap(({ pairs }) =>
    duplicatesOf(
      pairs.map(({ key }) => ({ key, part })),
      lineOf,
    ),
  );
}

/** The duplicates in maps that are spread over several parts. */
export function duplicatesAcross(text: string, sections: readonly SpreadMap[]): Finding[] {
  const lineOf = lineNumbers(text);
  return [sections, ...sections.map(({ entries = [] }) => entries)].flatMap((keys) =>
    duplicatesOf(keys, lineOf),
  );
}

/** The duplicates among the keys of one map, placed in the text. */
function duplicatesOf(keys: readonly PlacedKey[], lineOf: (offset: number) => number): Finding[] {
  const seen = new Map<YamlScalar['value'], PlacedKey>();
  const findings: Finding[] = [];
  for (const placed of keys) {
    if (placed.key.kind !== 'scalar') continue;
    const { value, text } = placed.key;
    const first = seen.get(value);
    if (first === undefined) seen.set(value, placed);
    else findings.push(duplicateKey(text, placed, first, lineOf));
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
    related: { span: at, message: 'It is defined here first.' },
  };
}
