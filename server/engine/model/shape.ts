/**
 * Reads YAML nodes of an expected form and reports any other form. A map with fixed keys is described by a single table, which is
 * used both for reading values and for the finding `unknown-key`.
 */
import type { Report } from '../diagnostics/diagnostics.ts';
import { nearest } from '../text/nearest.ts';
import type { YamlMap, YamlNode } from '../yaml/nodes.ts';

export interface SourceText {
  /** The text to which the nodes' spans refer. */
  readonly text: string;
  readonly report: Report;
}

/** Reads the value of `key`. If it does not have the expected form, reports that and returns undefined. */
export type ReadValue<T> = (source: SourceText, node: YamlNode, key: string) => T | undefined;

export type Keys<T> = { readonly [K in keyof T]: ReadValue<T[K]> };

interface Field<T> {
  readonly key: YamlNode;
  readonly node: YamlNode;
  /** Absent if it could not be read. */
  readonly value?: T;
}

/** The keys that are present, even if their values could not be read. */
export type MapFields<T> = { readonly [K in keyof T]?: Field<T[K]> };

/** Returns the name of a key, for messages and for maps of names. */
export function nameOfKey(text: string, key: YamlNode): string {
  return key.kind === 'scalar' ? key.text : text.slice(key.span.start, key.span.end);
}

/** Advice for keys that belong elsewhere, such as `data` in a stream. */
export type Hints = Readonly<Record<string, string>>;

export function readMapFields<T>(
  source: SourceText,
  map: YamlMap,
  keys: Keys<T>,
  hints: Hints = {},
): MapFields<T> {
  const fields: { [K in keyof T]?: Field<T[K]> } = {};
  for (const { key, value: node } of map.pairs) {
    if (key.kind !== 'scalar') {
      source.report('complex-key', key.span, {});
      continue;
    }
    const name = key.text;
    if (!isKeyOf(keys, name)) {
      reportUnknownKey(source.report, key, name, Object.keys(keys), hints);
      continue;
    }
    const value = keys[name](source, node, name as string);
    fields[name] = { key, node, ...(value !== undefined && { value }) };
  }
  return fields;
}

/**
 * Whether an unknown key probably means one of the wanted keys. Its finding says so, and the wanted key does not count as missing.
 */
export function isMistaken(map: YamlMap, keys: object, hints: Hints, wanted: readonly string[]): boolean {
  const known = Object.keys(keys);
  return map.pairs.some(({ key }) => {
    if (key.kind !== 'scalar' || Object.hasOwn(keys, key.text)) return false;
    if (Object.hasOwn(hints, key.text))
      return wanted.some((name) => hints[key.text]?.includes(`\`${name}\``));
    return wanted.some((name) => name === nearest(key.text, known));
  });
}

function isKeyOf<T>(keys: Keys<T>, name: string | keyof T): name is keyof T {
  return Object.hasOwn(keys, name);
}

const merges = 'Services do not merge maps: repeat the keys.';

export function reportUnknownKey(
  report: Report,
  key: YamlNode,
  name: string,
  known: readonly string[],
  hints: Hints = {},
): void {
  const instead = name === '<<' ? merges : Object.hasOwn(hints, name) ? hints[name] : undefined;
  report('unknown-key', key.span, { key: name, near: nearest(name, known), ...(instead && { instead }) });
}

export const boolean: ReadValue<boolean> = ({ report }, node, key) => {
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
  report(node.kind === 'scalar' ? 'expected-boolean' : 'expected-scalar', node.span, argsAt(node, key));
  return undefined;
};

export const number: ReadValue<number | bigint> = ({ report }, node, key) => {
  if (node.kind === 'scalar' && (typeof node.value === 'number' || typeof node.value === 'bigint'))
    return node.value;
  report(node.kind === 'scalar' ? 'expected-number' : 'expected-scalar', node.span, argsAt(node, key));
  return undefined;
};

export const string: ReadValue<string> = ({ report }, node, key) => {
  if (node.kind === 'scalar' && typeof node.value === 'string') return node.value;
  report(node.kind === 'scalar' ? 'expected-string' : 'expected-scalar', node.span, argsAt(node, key));
  return undefined;
};

/** Reads a list and returns the items that can be read. */
export function list<T>(item: ReadValue<T>): ReadValue<readonly T[]> {
  return (source, node, key) => {
    if (node.kind === 'sequence') return node.items.flatMap((inner) => item(source, inner, key) ?? []);
    source.report('expected-sequence', node.span, argsAt(node, key));
    return undefined;
  };
}

/** Reads a map whose keys are names chosen by the user. */
export function names<T>(
  read: (source: SourceText, name: YamlNode, value: YamlNode) => T | undefined,
): ReadValue<readonly T[]> {
  return (source, node, key) => {
    if (node.kind !== 'map') {
      source.report('expected-map', node.span, { ...argsAt(node, key), ...missingBlank(node) });
      return undefined;
    }
    return node.pairs.flatMap((pair) => read(source, pair.key, pair.value) ?? []);
  };
}

/** Returns the arguments of a finding about a value of the wrong form. */
export function argsAt(node: YamlNode, key: string): { key: string; isMissing?: true } {
  const isMissing = node.kind === 'scalar' && node.value === null && node.text === '';
  return { key, ...(isMissing && { isMissing }) };
}

/** Returns advice for text such as `edition:3`, which is a string. With a space after the colon, it would be a map. */
export function missingBlank(node: YamlNode): { instead?: string } {
  const glued = node.kind === 'scalar' && node.style === 'plain' && /^\w+:\S/.test(node.text);
  return glued ? { instead: 'A colon needs a space after it.' } : {};
}

export function checkName({ text, report }: SourceText, key: YamlNode): void {
  if (key.kind !== 'scalar') report('expected-scalar', key.span, { key: nameOfKey(text, key) });
  else if (typeof key.value !== 'string') report('expected-string', key.span, { key: key.text });
}
