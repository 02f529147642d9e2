/** Completes values of keys: the values that the schema lists, and names of environment variables. */
import type { Analysis } from '../../engine/index.ts';
import { envPrefix, envTag } from '../../engine/service/environment.ts';
import { type JsonSchema, typesOf } from '../../engine/service/serviceSchema.ts';
import { span } from '../../engine/text/span.ts';
import type { ValuePlace } from '../../engine/yaml/outline/outline.ts';
import type { Completion } from './item.ts';
import type { CompletionWorld } from './world.ts';

export function completeValue(
  { text, kind }: Analysis,
  place: ValuePlace,
  schema: JsonSchema,
  offset: number,
  world: CompletionWorld,
): readonly Completion[] {
  if (isBeforeValue(text, place.start, offset)) return [];
  const start = Math.min(place.start, offset);
  const written = text.slice(start, offset);
  if (/[\r\n]/.test(written)) return [];
  const variable = /^!env[ \t]+/.exec(written);
  if (kind === 'service' && variable)
    return variablesFor(schema, world, start + variable[0].length, endOf(text, offset));
  const quote = /^["']/.exec(written)?.[0] ?? '';
  const at = span(start + quote.length, endOf(text, offset));
  const glue = text[start - 1] === ':' ? ' ' : '';
  const offer = (value: Value, rank: number): Completion => ({
    label: value.text,
    kind: 'value',
    ...(value.detail !== undefined && { detail: value.detail }),
    insert: [glue + value.text],
    span: at,
    rank,
  });
  const listed = valuesOf(schema).map((value) => offer(value, value.isDefault ? 1 : 0));
  if (kind !== 'service' || quote !== '' || !isScalar(schema)) return listed;
  const names = namesFor(schema, world).map((name): Completion => {
    const label = `${envTag} ${name}`;
    return { label, kind: 'variable', detail: 'variable', insert: [glue + label], span: at, rank: 2 };
  });
  return [...listed, ...names, anyVariable(schema, at, glue)];
}

/** Whether text follows the cursor directly, so that inserted text would be joined with it. */
function isBeforeValue(text: string, start: number, offset: number): boolean {
  return offset < start && /[^\s#]/.test(text[start] ?? '');
}

interface Value {
  readonly text: string;
  readonly detail?: string;
  readonly isDefault: boolean;
}

function valuesOf(schema: JsonSchema): readonly Value[] {
  const { enum: listed = [], enumDescriptions = [] } = schema;
  const read = (value: unknown, description?: string): Value => {
    const isDefault = value === schema.default;
    const detail = [isDefault ? 'default' : '', description ?? ''].filter((part) => part !== '').join(' · ');
    return { text: String(value), isDefault, ...(detail !== '' && { detail }) };
  };
  if (listed.length > 0) return listed.map((value, index) => read(value, enumDescriptions[index]));
  if (schema.const !== undefined) return [read(schema.const)];
  if (typesOf(schema).includes('boolean')) return [true, false].map((value) => read(value));
  const known = [schema.default, ...(schema.examples ?? [])].filter(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
  return [...new Set(known)].map((value) => read(value, value === schema.default ? undefined : 'example'));
}

function isScalar(schema: JsonSchema): boolean {
  const types = typesOf(schema);
  return types.some((type) => ['string', 'number', 'integer', 'boolean'].includes(type));
}

/**
 * Returns the variables that may be used, each with a type unless the value is a string. Services accept only names with this
 * prefix.
 */
function namesFor(schema: JsonSchema, { environmentNames }: CompletionWorld): readonly string[] {
  const suffix = suffixFor(schema);
  return environmentNames()
    .filter((name) => name.startsWith(envPrefix))
    .map((name) => name + suffix);
}

function suffixFor(schema: JsonSchema): string {
  const types = typesOf(schema);
  if (types.includes('string')) return '';
  return types.includes('boolean') ? '::boolean' : '::number';
}

function variablesFor(
  schema: JsonSchema,
  world: CompletionWorld,
  start: number,
  end: number,
): readonly Completion[] {
  return namesFor(schema, world).map((name) => ({
    label: name,
    kind: 'variable',
    insert: [name],
    span: span(start, end),
    rank: 0,
  }));
}

function anyVariable(schema: JsonSchema, at: Completion['span'], glue: string): Completion {
  return {
    label: `${envTag} ${envPrefix}…`,
    kind: 'snippet',
    detail: 'environment variable',
    insert: [`${glue}${envTag} ${envPrefix}`, { stop: 'NAME' }, suffixFor(schema)],
    span: at,
    rank: schema['x-secret'] ? 0 : 3,
    filter: envTag,
  };
}

function endOf(text: string, offset: number): number {
  const word = /[^\s,\]}#"']*/y;
  word.lastIndex = offset;
  word.test(text);
  return word.lastIndex;
}
