/** Finds the schema at a place in any kind of file, by the keys above it. */
import syncSchemaText from '../../../schemas/sync-config.schema.json' with { type: 'json' };
import testSchemaText from '../../../schemas/sync-test.schema.json' with { type: 'json' };
import type { FileKind } from '../../engine/index.ts';
import {
  alternativesOf,
  type JsonSchema,
  propertyOf,
  resolve,
  type SchemaFile,
  serviceSchema,
} from '../../engine/service/serviceSchema.ts';
import type { PathStep, Siblings } from '../../engine/yaml/outline/outline.ts';

const syncSchema = syncSchemaText as unknown as SchemaFile;
const testSchema = testSchemaText as unknown as SchemaFile;

function schemaOf(kind: FileKind): SchemaFile {
  if (kind === 'service') return serviceSchema;
  return kind === 'tests' ? testSchema : syncSchema;
}

/** Returns the schema of the value at a path; undefined if a key of the path is unknown. */
export function schemaAt(kind: FileKind, path: readonly PathStep[]): JsonSchema | undefined {
  const file = schemaOf(kind);
  let schema: JsonSchema | undefined = file;
  for (const { key, siblings } of path) {
    if (schema === undefined) return undefined;
    const inner: JsonSchema | undefined =
      key === undefined ? itemOf(schema, file) : propertyOf(choose(schema, siblings), key);
    schema = inner && resolve(inner, file);
  }
  return schema;
}

/** Returns the schema of the items, if a list is possible. */
function itemOf({ items, anyOf = [] }: JsonSchema, file: SchemaFile): JsonSchema | undefined {
  return items ?? anyOf.map((one) => resolve(one, file)).find((one) => one.items)?.items;
}

/**
 * Returns the alternative of the schema that a sibling such as `type` selects. Without such a sibling, returns only the common
 * part.
 */
export function choose(schema: JsonSchema, siblings: () => Siblings): JsonSchema {
  const tag = schema.discriminator?.propertyName;
  if (tag === undefined) return schema;
  const value = siblings()
    .get(tag)
    ?.replace(/^["']|["']$|\s+#.*$/g, '');
  const alternatives = alternativesOf(schema);
  const chosen = alternatives.find(({ properties }) => properties?.[tag]?.const === value);
  if (chosen) return { ...schema, ...chosen };
  const values = alternatives.flatMap(({ properties }) => properties?.[tag] ?? []);
  return { ...schema, properties: { [tag]: tagSchema(values) } };
}

function tagSchema(values: readonly JsonSchema[]): JsonSchema {
  const described = values.map(({ description = '' }) => description);
  return {
    type: 'string',
    enum: values.flatMap((value) => value.const ?? []),
    ...(described.some((text) => text !== '') && { enumDescriptions: described }),
  };
}

export function keySchema(schema: JsonSchema, name: string, kind: FileKind): JsonSchema {
  return resolve(propertyOf(schema, name) ?? {}, schemaOf(kind));
}
