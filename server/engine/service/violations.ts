/** Reports violations of the schema, which the generated validator finds, with our own messages. */
import type { Finding } from '../diagnostics/diagnostics.ts';
import { nearest } from '../text/nearest.ts';
import { finding } from './finding.ts';
import { type ConfigPlace, joinPointer, type ServiceReading, scalarText } from './places.ts';
import { type Violation, validate } from './schema.generated.mjs';
import { alternativesOf, choicesOf, type JsonSchema, typesOf } from './serviceSchema.ts';

export function checkSchema(config: ServiceReading): Finding[] {
  const violations = violationsOf(config.value);
  return [
    ...violations.flatMap((violation) => explain(config, violation)),
    ...explainMissing(config, violations),
    ...checkPortTexts(config),
  ];
}

function violationsOf(value: unknown): readonly Violation[] {
  return validate(value) ? [] : (validate.errors ?? []);
}

function explain(config: ServiceReading, { instancePath, keyword, params }: Violation): Finding[] {
  const place = config.places.get(instancePath);
  if (place === undefined || place.unknown) return [];
  if (place.variable !== undefined) return keyword === 'type' ? [wrongVariable(place)] : [];
  switch (keyword) {
    case 'additionalProperties':
      return unknownKey(config, place, String(params.additionalProperty));
    case 'discriminator':
      return unknownChoice(config, place, String(params.tag));
    case 'enum':
      return [unknownValue(place, (place.schema.enum ?? []).map(String))];
    case 'minimum':
    case 'maximum':
      return [finding('service-out-of-range', place.span, { key: place.name, range: rangeOf(place.schema) })];
    case 'type':
    case 'pattern':
      return [wrongType(place)];
    default:
      return [];
  }
}

function unknownKey(config: ServiceReading, parent: ConfigPlace, key: string): Finding[] {
  const child = config.places.get(joinPointer(parent.pointer, key));
  if (child === undefined) return [];
  const missing = Object.entries(parent.schema.properties ?? {})
    .filter(([name, { deprecated }]) => !deprecated && !config.places.has(joinPointer(parent.pointer, name)))
    .map(([name]) => name);
  return [finding('service-unknown-key', child.keySpan, { key, near: nearest(key, missing) })];
}

/** Reports all missing keys of a map at once. */
function explainMissing(config: ServiceReading, violations: readonly Violation[]): Finding[] {
  const missing = new Map<ConfigPlace, string[]>();
  for (const { instancePath, keyword, params } of violations) {
    const place = config.places.get(instancePath);
    if (keyword !== 'required' || place === undefined || place.unknown) continue;
    missing.set(place, [...(missing.get(place) ?? []), `\`${params.missingProperty}\``]);
  }
  return [...missing].map(([{ name, pointer, keySpan }, keys]) => {
    const parent = /\/\d+$/.test(pointer) ? `This item of \`${name}\`` : `\`${name}\``;
    return finding('service-missing-key', keySpan, { parent, keys: listWords(keys, 'and') });
  });
}

/** Reports a value of `type` or `kty` that selects no alternative. `required` reports a missing one. */
function unknownChoice(config: ServiceReading, parent: ConfigPlace, tag: string): Finding[] {
  const place = config.places.get(joinPointer(parent.pointer, tag));
  if (place === undefined || place.unknown || place.variable !== undefined) return [];
  if (isMissing(place)) return [wrongType({ ...place, schema: { type: 'string' } })];
  return [unknownValue(place, choicesOf(parent.schema))];
}

function unknownValue(place: ConfigPlace, known: readonly string[]): Finding {
  const near = place.node.kind === 'scalar' ? nearest(place.node.text, known) : undefined;
  return finding('service-unknown-value', place.span, { key: place.name, known: listWords(known), near });
}

function wrongType(place: ConfigPlace): Finding {
  const expected = expectedOf(place.schema);
  if (isMissing(place)) return finding('service-missing-value', place.span, { key: place.name, expected });
  return finding('service-wrong-type', place.span, {
    key: place.name,
    expected: expected + quotesFor(place),
  });
}

function isMissing({ node }: ConfigPlace): boolean {
  return node.kind === 'scalar' && node.value === null && node.text === '';
}

function wrongVariable(place: ConfigPlace): Finding {
  const wanted = typesOf(place.schema).map((type) => (type === 'integer' ? 'number' : type));
  const suffix = (['number', 'boolean', 'string'] as const).find((type) => wanted.includes(type));
  const name = place.variable?.name ?? '';
  return finding('env-wrong-type', place.span, {
    key: place.name,
    expected: expectedOf(place.schema),
    instead: suffix && (suffix === 'string' ? name : `${name}::${suffix}`),
  });
}

const phrases = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of keys and values',
  null: 'null',
} as const;

function expectedOf(schema: JsonSchema): string {
  if (schema.pattern !== undefined) return 'a port number';
  const types = typesOf(alternativesOf(schema).length > 0 ? { type: 'object' } : schema);
  return listWords(types.filter((type) => type !== 'null').map((type) => phrases[type]));
}

/** Returns advice for the most common mistake: digits, true or false where text is expected, or the reverse. */
function quotesFor({ schema, node }: ConfigPlace): string {
  if (node.kind !== 'scalar') return '';
  const types = typesOf(schema);
  if (types.includes('string')) return schema.pattern === undefined ? ', in quotes' : '';
  const isQuoted = node.style === 'single' || node.style === 'double';
  const looksRight = types.includes('boolean') ? /^(true|false)$/i : /^[-+]?[0-9.]+$/;
  return isQuoted && looksRight.test(node.text) ? ', without quotes' : '';
}

function rangeOf({ minimum, maximum }: JsonSchema): string {
  return maximum === undefined ? `at least ${minimum}` : `from ${minimum} to ${maximum}`;
}

/** Checks ports that are written as text, which the schema cannot compare with numbers. */
function checkPortTexts({ places }: ServiceReading): Finding[] {
  return [...places.values()].flatMap((place) => {
    const { schema, name, span } = place;
    const port = scalarText(place);
    if (schema.pattern === undefined || port === undefined || !/^[0-9]+$/.test(port)) return [];
    const isInside =
      Number(port) >= (schema.minimum ?? 0) && Number(port) <= (schema.maximum ?? Number.POSITIVE_INFINITY);
    return isInside ? [] : [finding('service-out-of-range', span, { key: name, range: rangeOf(schema) })];
  });
}

/** Writes a list such as `a, b or c`. */
function listWords(words: readonly string[], last: 'and' | 'or' = 'or'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
