/** Compiles a JSON Schema to a plain validation function, which needs neither ajv nor `eval` at run time. */
import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';

/** Our own keywords. None of them affects whether a config is valid. */
const ownKeywords = ['deprecationMessage', 'enumDescriptions', 'x-secret', 'x-ignored'];
/** The annotations: keywords for human readers, which a validator does not need. */
const annotations = [...ownKeywords, '$comment', 'title', 'description', 'default', 'examples', 'deprecated'];

export const ajvOptions: Options = {
  keywords: ownKeywords,
  allErrors: true,
  // Messages for users come from the catalogue of diagnostics.
  messages: false,
  discriminator: true,
  allowUnionTypes: true,
  // The alternatives of a `oneOf` rely on `type: object` in the surrounding schema.
  strictTypes: false,
};

/** Returns the source of a module that exports `validate`. */
export function renderValidator(schema: string): string {
  const ajv = new Ajv2020({ ...ajvOptions, code: { source: true, esm: true, lines: true } });
  const validate = ajv.compile(JSON.parse(schema, withoutAnnotation));
  const code = standalone(ajv, validate).replace(/^export default .*\n?/m, '');
  if (code.includes('require(')) throw new Error('A schema uses a keyword that needs ajv at run time.');
  return code;
}

/**
 * Removes annotations, because the validator contains its schema. If the value is an object, it is the schema of a property with
 * such a name, and is kept.
 */
function withoutAnnotation(key: string, value: unknown): unknown {
  const isAnnotation = annotations.includes(key) && (typeof value !== 'object' || Array.isArray(value));
  return isAnnotation ? undefined : value;
}
