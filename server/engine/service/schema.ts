/** The schema of the service config: the one source of its keys, types, defaults and descriptions. */
import serviceSchemaText from '../../../schemas/service.schema.json' with { type: 'json' };
import type { YamlNode } from '../yaml/nodes.ts';

type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null';

/** The part of JSON Schema that our schemas use, with our annotations. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: TypeName | readonly TypeName[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | false;
  readonly items?: Schema;
  readonly required?: readonly string[];
  /** One schema for each value of the property that `discriminator` names. */
  readonly oneOf?: readonly Schema[];
  /** One value, or a list of them. */
  readonly anyOf?: readonly Schema[];
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
  /** The value should come from `!env`. */
  readonly 'x-secret'?: boolean;
  /** Services do not read the key any more. */
  readonly 'x-ignored'?: boolean;
}

export interface SchemaFile extends Schema {
  readonly $defs: Readonly<Record<string, Schema>>;
}

export const serviceSchema = serviceSchemaText as unknown as SchemaFile;

/** The schema with what it refers to; what stands beside a `$ref` wins. */
export function resolve(schema: Schema, file: SchemaFile = serviceSchema): Schema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...own } = schema;
  return { ...resolve(file.$defs[$ref.slice('#/$defs/'.length)] ?? {}, file), ...own };
}

/** The schema of exactly this node: with the alternative that its `type` (or `kty`) chooses. */
export function schemaOf(schema: Schema, node: YamlNode): Schema {
  const resolved = resolve(schema);
  const tag = resolved.discriminator?.propertyName;
  if (tag === undefined || node.kind !== 'map') return resolved;
  const value = node.pairs.find(({ key }) => key.kind === 'scalar' && key.text === tag)?.value;
  if (value?.kind !== 'scalar' || value.tag !== undefined) return resolved;
  const chosen = alternativesOf(resolved).find(({ properties }) => properties?.[tag]?.const === value.value);
  return chosen === undefined ? resolved : { ...resolved, ...chosen };
}

export function alternativesOf(schema: Schema): readonly Schema[] {
  return (schema.oneOf ?? []).map((one) => resolve(one));
}

/** The values of the property by which alternatives are chosen, e.g. all types of connections. */
export function choicesOf(schema: Schema): readonly string[] {
  const tag = schema.discriminator?.propertyName ?? '';
  return alternativesOf(schema).flatMap(({ properties }) => properties?.[tag]?.const ?? []);
}

/** The schema of the value of a key; undefined if the key is not known here. */
export function propertyOf(schema: Schema, name: string): Schema | undefined {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  return additionalProperties === false ? undefined : additionalProperties;
}

export function typesOf({ type }: Schema): readonly TypeName[] {
  return type === undefined ? [] : typeof type === 'string' ? [type] : type;
}
