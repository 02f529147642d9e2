import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ajvOptions } from '../scripts/bundles/validator.ts';
import { generatedModules } from '../scripts/generate.ts';
import { root } from '../scripts/root.ts';
import type { JsonSchema } from '../server/engine/service/serviceSchema.ts';
import { readExamples } from './support/engine/examples.ts';

type Definitions = Readonly<Record<string, JsonSchema>>;
type SchemaFile = JsonSchema & { readonly $defs: Definitions };

interface Part {
  readonly path: string;
  readonly schema: JsonSchema;
  /** Whether this is the schema of a key. */
  readonly isKey: boolean;
}

const folder = join(root, 'schemas');

describe.each(generatedModules)('$path', ({ path, render }) => {
  const [, text = ''] = /^.*\n([\s\S]*)$/.exec(readFileSync(join(root, path), 'utf8')) ?? [];

  test('is up to date with its sources', async () => {
    expect(text.trimEnd()).toBe((await render()).trimEnd());
  });

  test('has no dependencies at run time', () => {
    expect(text).not.toMatch(/\bimport\b.*\bfrom\b|\b(?:require|eval|new Function)\(/);
  });
});

describe.each(readdirSync(folder))('%s', (name) => {
  const file = readSchema(name);
  const parts = [...partsOf(file, '#', false)];

  test('is a schema that passes strict checks', () => {
    expect(() => compile(file)).not.toThrow();
  });

  test('describes every key in sentences', () => {
    const described = parts
      .filter(({ isKey }) => isKey)
      .map(({ path, schema }) => [path, sentenceOf(file, schema)]);
    expect(described.filter(([, text]) => !/^[A-Z`](?:.|\n)*\.$/.test(text ?? ''))).toEqual([]);
  });

  test('describes all values of an enum, or none', () => {
    const uneven = parts.filter(
      ({ schema: { enum: values, enumDescriptions } }) =>
        enumDescriptions && enumDescriptions.length !== values?.length,
    );
    expect(uneven).toEqual([]);
  });

  test('has defaults and examples that match their schemas', () => {
    const ajv = new Ajv2020(ajvOptions).addSchema(file, name);
    const wrong = parts.flatMap(({ path, schema }) => {
      const samples = [...('default' in schema ? [schema.default] : []), ...(schema.examples ?? [])];
      return samples
        .filter((sample) => !ajv.validate({ $ref: `${name}${path}` }, sample))
        .map((sample) => `${path}: ${JSON.stringify(sample)}`);
    });
    expect(wrong).toEqual([]);
  });
});

test('the schema of sync configs accepts every valid example', () => {
  const fits = compile(readSchema('sync-config.schema.json'));
  const refused = readExamples()
    .filter(({ outcome }) => outcome === 'valid')
    .filter(({ text }) => !fits(parse(text)))
    .map(({ name }) => name);
  expect(refused).toEqual([]);
});

function readSchema(name: string): SchemaFile {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}

function compile(schema: JsonSchema) {
  return new Ajv2020(ajvOptions).compile(schema);
}

function* partsOf(schema: JsonSchema, path: string, isKey: boolean): Generator<Part> {
  yield { path, schema, isKey };
  const { properties = {}, items, additionalProperties, oneOf = [] } = schema;
  const { $defs = {} } = schema as SchemaFile;
  for (const [key, property] of Object.entries(properties))
    yield* partsOf(property, `${path}/properties/${key}`, true);
  for (const [key, definition] of Object.entries($defs))
    yield* partsOf(definition, `${path}/$defs/${key}`, false);
  for (const [index, choice] of oneOf.entries()) yield* partsOf(choice, `${path}/oneOf/${index}`, false);
  if (items) yield* partsOf(items, `${path}/items`, false);
  if (additionalProperties) yield* partsOf(additionalProperties, `${path}/additionalProperties`, false);
}

function sentenceOf({ $defs }: SchemaFile, schema: JsonSchema): string | undefined {
  return schema.description ?? $defs[schema.$ref?.slice('#/$defs/'.length) ?? '']?.description;
}
