/**
 * The service config according to its schema: each value with its key, its node and its part of the schema, and the entire config
 * as a plain value for the validator. Unlike in sync configs, an alias means the node to which it refers.
 */
import type { Span } from '../text/span.ts';
import type { YamlMap, YamlNode, YamlScalar } from '../yaml/nodes.ts';
import { type Anchors, anchorsOf, targetOf } from './aliases.ts';
import { envTag, type Variable, variableOf } from './environment.ts';
import { type JsonSchema, propertyOf, schemaOf, serviceSchema } from './serviceSchema.ts';

export interface ConfigPlace {
  /** The JSON pointer, such as `/replication/connections/0/uri`. */
  readonly pointer: string;
  /** The key. For an item of a list, the key of the list. */
  readonly name: string;
  /** The span to mark for a wrong value. */
  readonly span: Span;
  /** The span to mark for a wrong key. */
  readonly keySpan: Span;
  /** The node. It is an alias only if the alias cannot be resolved. */
  readonly node: YamlNode;
  /** The schema of the value. Empty if the key is unknown. */
  readonly schema: JsonSchema;
  readonly variable?: Variable;
  /** Whether the value is unknown here, so that no finding may depend on it. */
  readonly unknown: boolean;
}

export interface ServiceReading {
  readonly text: string;
  readonly anchors: Anchors;
  readonly places: ReadonlyMap<string, ConfigPlace>;
  /** The entire config as plain values, for the validator. */
  readonly value: unknown;
}

/** The maximum number of aliases that the YAML reader of the reference follows in one file. */
const mostAliases = 100;

interface Reader {
  readonly places: Map<string, ConfigPlace>;
  readonly anchors: Anchors;
  aliases: number;
}

export function readService(text: string, root: YamlNode): ServiceReading {
  const reader: Reader = { places: new Map(), anchors: anchorsOf(root), aliases: 0 };
  const start: Slot = { pointer: '', name: 'service config', node: root, schema: serviceSchema };
  return { text, anchors: reader.anchors, places: reader.places, value: readValue(reader, start) };
}

export function joinPointer(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Returns all places whose pointer has this form; `*` matches any single key or index. */
export function placesAt({ places }: ServiceReading, form: string): ConfigPlace[] {
  const steps = form.split('/').slice(1);
  const pointers = steps.reduce<readonly string[]>(
    (parents, step) =>
      parents.flatMap((parent) => (step === '*' ? below(places.get(parent)) : `${parent}/${step}`)),
    [''],
  );
  return pointers.flatMap((pointer) => places.get(pointer) ?? []);
}

function below(place: ConfigPlace | undefined): string[] {
  if (place?.node.kind === 'sequence')
    return place.node.items.map((_, index) => joinPointer(place.pointer, index));
  if (place?.node.kind !== 'map') return [];
  return place.node.pairs.flatMap(({ key }) =>
    key.kind === 'scalar' ? joinPointer(place.pointer, key.text) : [],
  );
}

/** Returns the text that is written at a place; undefined if there is none, or if it comes from elsewhere. */
export function scalarText(place: ConfigPlace | undefined): string | undefined {
  if (place === undefined || place.variable !== undefined || place.unknown) return undefined;
  return place.node.kind === 'scalar' && typeof place.node.value === 'string' ? place.node.text : undefined;
}

interface Slot {
  readonly pointer: string;
  readonly name: string;
  readonly key?: YamlNode;
  readonly node: YamlNode;
  /** The schema of the value; undefined if the key is unknown. */
  readonly schema: JsonSchema | undefined;
}

function readValue(reader: Reader, slot: Slot): unknown {
  const node = follow(reader, slot.node);
  const schema = slot.schema === undefined ? {} : schemaOf(slot.schema, node);
  const variable = variableOf(node);
  const unknown = node.kind === 'alias' || (node.tag === envTag && variable?.type === undefined);
  const keySpan = slot.key?.span ?? markOf(slot.node, undefined);
  reader.places.set(slot.pointer, {
    pointer: slot.pointer,
    name: slot.name,
    span: markOf(slot.node, slot.key),
    keySpan,
    node,
    schema,
    unknown,
    ...(variable && { variable }),
  });
  if (unknown) return null;
  switch (node.kind) {
    case 'scalar':
      return scalarValue(node, variable);
    case 'sequence':
      return node.items.map((item, index) =>
        readValue(reader, {
          pointer: joinPointer(slot.pointer, index),
          name: slot.name,
          node: item,
          schema: schema.items,
        }),
      );
    case 'map':
      return readMap(reader, slot.pointer, node, schema);
  }
}

function readMap(reader: Reader, pointer: string, map: YamlMap, schema: JsonSchema): object {
  const value: Record<string, unknown> = Object.create(null);
  for (const { key, value: node } of map.pairs) {
    if (key.kind !== 'scalar') continue;
    const property = propertyOf(schema, key.text);
    const at = joinPointer(pointer, key.text);
    value[key.text] = readValue(reader, {
      pointer: at,
      name: key.text,
      key,
      node,
      schema: property,
    });
  }
  return value;
}

function follow(reader: Reader, node: YamlNode): YamlNode {
  let found = node;
  while (found.kind === 'alias' && reader.aliases < mostAliases) {
    const target = targetOf(reader.anchors, found);
    if (target === undefined) return found;
    reader.aliases++;
    found = target;
  }
  return found;
}

/** Returns a value of the type that the variable will have. Rules about its size do not apply to it. */
function scalarValue(node: YamlScalar, variable: Variable | undefined): unknown {
  if (variable === undefined) return typeof node.value === 'bigint' ? Number(node.value) : node.value;
  return { string: variable.name, number: 0, boolean: false }[variable.type ?? 'string'];
}

/** Returns the span to mark. An entire block would be too long, so its key is marked instead. */
function markOf(node: YamlNode, key: YamlNode | undefined): Span {
  const isBlock = (node.kind === 'map' || node.kind === 'sequence') && !node.flow;
  const isWritten = node.span.end > node.span.start;
  if (isWritten && !isBlock) return node.span;
  if (key !== undefined) return key.span;
  return firstOf(node)?.span ?? node.span;
}

function firstOf(node: YamlNode): YamlNode | undefined {
  if (node.kind === 'map') return node.pairs[0]?.key;
  return node.kind === 'sequence' ? node.items[0] : undefined;
}
