/** Explains keys with the text of their schemas. */
import type { JsonSchema } from '../../engine/service/serviceSchema.ts';
import { typesOf } from '../../engine/service/serviceSchema.ts';
import { code, paragraphs } from './explainFunctions.ts';

export function explainKey(name: string, schema: JsonSchema, isRequired: boolean): string {
  const facts = [
    ...(isRequired ? ['Required'] : []),
    ...(schema.default === undefined ? [] : [`Default: \`${JSON.stringify(schema.default)}\``]),
    ...(schema.minimum === undefined ? [] : [`At least ${schema.minimum}`]),
    ...(schema.maximum === undefined ? [] : [`At most ${schema.maximum}`]),
  ];
  return paragraphs(
    `**\`${name}\`**${typeOf(schema)}`,
    schema.deprecated ? `**Deprecated.** ${schema.deprecationMessage ?? ''}`.trim() : undefined,
    schema.description,
    explainValues(schema),
    facts.length > 0 ? `${facts.join('. ')}.` : undefined,
    schema['x-secret']
      ? 'This is a secret. Read it from the environment, for example with `!env PS_NAME`.'
      : undefined,
    explainExample(name, schema),
  );
}

/** Returns what the possible values mean, if the schema describes them. */
function explainValues({ enum: values = [], enumDescriptions = [] }: JsonSchema): string | undefined {
  if (values.length === 0) return undefined;
  if (enumDescriptions.length === 0) return `One of ${values.map((value) => `\`${value}\``).join(', ')}.`;
  return values.map((value, index) => `- \`${value}\`: ${enumDescriptions[index] ?? ''}`).join('\n');
}

function typeOf(schema: JsonSchema): string {
  const words = {
    string: 'text',
    number: 'number',
    integer: 'whole number',
    boolean: 'true or false',
  } as const;
  const types = typesOf(schema).flatMap((type) => (type in words ? words[type as keyof typeof words] : []));
  return types.length === 0 ? '' : ` · ${types.join(' or ')}`;
}

function explainExample(name: string, { examples = [] }: JsonSchema): string | undefined {
  const [example] = examples;
  if (typeof example === 'string') return `Example:\n${code(`${name}: ${example}`, 'yaml')}`;
  return undefined;
}
