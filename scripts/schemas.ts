/**
 * `npm run schemas`: turns the JSON Schemas that texts are checked against into plain functions, which
 * need neither ajv nor `eval` at run time. The result is committed, so that a fresh clone has it; a test compares.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { root } from './root.ts';

interface Generated {
  readonly schema: string;
  readonly out: string;
}

export const generated: readonly Generated[] = [
  { schema: 'schemas/service.schema.json', out: 'server/engine/service/schema.generated.ts' },
];

/** Keywords of our own; none of them decides what is valid. */
const ownKeywords = ['deprecationMessage', 'enumDescriptions', 'x-secret', 'x-ignored'];
/** What says something to people and nothing to a validator. */
const annotations = [...ownKeywords, '$comment', 'title', 'description', 'default', 'examples', 'deprecated'];

export const ajvOptions: Options = {
  keywords: ownKeywords,
  allErrors: true,
  // Sentences for the user come from the catalogue of diagnostics.
  messages: false,
  discriminator: true,
  allowUnionTypes: true,
  // The alternatives of a `oneOf` leave `type: object` to the schema around them.
  strictTypes: false,
};

export function generate({ schema }: Generated): string {
  const ajv = new Ajv2020({ ...ajvOptions, code: { source: true, esm: true, lines: true } });
  const validate = ajv.compile(JSON.parse(readFileSync(join(root, schema), 'utf8'), withoutAnnotation));
  const code = standalone(ajv, validate).replace(/^export default .*\n?/m, '');
  if (code.includes('require(')) throw new Error(`${schema} uses a keyword that needs ajv at run time`);
  return [
    `// Made of ${schema} by scripts/schemas.ts. Do not edit.`,
    '// @ts-nocheck',
    code.trimEnd(),
    '',
  ].join('\n');
}

/** The validator holds a copy of its schema. What is an object is the schema of a property with such a name. */
function withoutAnnotation(key: string, value: unknown): unknown {
  const isAnnotation = annotations.includes(key) && (typeof value !== 'object' || Array.isArray(value));
  return isAnnotation ? undefined : value;
}

if (import.meta.main) for (const one of generated) writeFileSync(join(root, one.out), generate(one));
