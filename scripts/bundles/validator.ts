/**
 * Turns a JSON Schema that texts are checked against into a plain function, which needs neither ajv nor `eval` at run time.
 */
import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';

/** Our own keywords. None of them decides whether a config is valid. */
const ownKeywords = ['deprecationMessage', 'enumDescriptions', 'x-secret', 'x-ignored'];
/** Keywords that are for people and not for a validator. */
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

/** The source of a module that exports `validate`. */
export function renderValidator(schema: string): string {
  const ajv = new Ajv2020({ ...ajvOptions, code: { source: true, esm: true, lines: true } });
  const validate = ajv.compile(JSON.parse(schema, withoutAnnotation));
  const code = standalone(ajv, validate).replace(/^export default .*\n?/m, '');
  if (code.includes('require(')) throw new Error('A schema uses a keyword that needs ajv at run time.');
  return code;
}

/** Leaves out annotations, because the validator contains its schema. An object is the schema of a property with such a name. */
function withoutAnnotation(key: string, value: unknown): unknown {
  const isAnnotation = annotations.includes(key) && (typeof value !== 'object' || Array.isArray(value));
  return isAnnotation ? undefined : value;
}
