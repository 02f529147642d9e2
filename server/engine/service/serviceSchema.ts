/** The schema of the service config, which is the only source of its keys, types, defaults and descriptions. */
import serviceSchemaText from '../../../schemas/service.schema.json' with { type: 'json' };
import type { YamlNode } from '../yaml/nodes.ts';

type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null';

/** The subset of JSON Schema that our schemas use, with our own annotations. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: TypeName | readonly TypeName[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | false;
  readonly items?: JsonSchema;
  readonly required?: readonly string[];
  /** The alternatives, one for each value of the property that `discriminator` names. */
  readonly oneOf?: readonly JsonSchema[];
  /** The alternatives of a value that may also be a list. */
  readonly anyOf?: readonly JsonSchema[];
  readonly discriminator?: { readonly propertyName: string };
  readonly const?: string;
  readonly enum?: readonly (string | number)[];
  readonly enumDescriptions?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly deprecated?: boolean;
  readonly deprecationMessage?: string;
  /** Whether the value should come from `!env`. */
  readonly 'x-secret'?: boolean;
  /** Whether services no longer read the key. */
  readonly 'x-ignored'?: boolean;
}

export interface SchemaFile extends JsonSchema {
  readonly $defs: Readonly<Record<string, JsonSchema>>;
}

export const serviceSchema = serviceSchemaText as unknown as SchemaFile;

/** Resolves the references of a schema. Keys next to a `$ref` take precedence. */
export function resolve(schema: JsonSchema, file: SchemaFile = serviceSchema): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...own } = schema;
  return { ...resolve(file.$defs[$ref.slice('#/$defs/'.length)] ?? {}, file), ...own };
}

/** Returns the schema of this node, with the alternative that its `type` (or `kty`) selects. */
export function schemaOf(schema: JsonSchema, node: YamlNode): JsonSchema {
  const resolved = resolve(schema);
  const tag = resolved.discriminator?.propertyName;
  if (tag === undefined || node.kind !== 'map') return resolved;
  const value = node.pairs.find(({ key }) => key.kind === 'scalar' && key.text === tag)?.value;
  if (value?.kind !== 'scalar' || value.tag !== undefined) return resolved;
  const chosen = alternativesOf(resolved).find(({ properties }) => properties?.[tag]?.const === value.value);
  return chosen === undefined ? resolved : { ...resolved, ...chosen };
}

export function alternativesOf(schema: JsonSchema): readonly JsonSchema[] {
  return (schema.oneOf ?? []).map((one) => resolve(one));
}

/** Returns the values of the property that selects an alternative, such as all types of connections. */
export function choicesOf(schema: JsonSchema): readonly string[] {
  const tag = schema.discriminator?.propertyName ?? '';
  return alternativesOf(schema).flatMap(({ properties }) => properties?.[tag]?.const ?? []);
}

/** Returns the schema of a key's value; undefined if the key is unknown. */
export function propertyOf(schema: JsonSchema, name: string): JsonSchema | undefined {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  return additionalProperties === false ? undefined : additionalProperties;
}

export function typesOf({ type }: JsonSchema): readonly TypeName[] {
  return type === undefined ? [] : typeof type === 'string' ? [type] : type;
}
