/** The part of JSON Schema that the inputs and outputs of tools use, and the check of a value. */

export type ToolSchema = TextSchema | NumberSchema | FlagSchema | ListSchema | ObjectSchema;

interface TextSchema {
  readonly type: 'string';
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly maxLength?: number;
}

interface NumberSchema {
  readonly type: 'integer' | 'number';
  readonly description?: string;
  readonly minimum: number;
  readonly maximum: number;
}

interface FlagSchema {
  readonly type: 'boolean';
  readonly description?: string;
}

interface ListSchema {
  readonly type: 'array';
  readonly description?: string;
  readonly items: ToolSchema;
  readonly maxItems?: number;
}

export interface ObjectSchema {
  readonly type: 'object';
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ToolSchema>>;
  readonly required?: readonly string[];
  /** Whether other properties of any type are allowed. */
  readonly additionalProperties: boolean;
}

/** Returns a sentence about the first mistake in a value, or undefined if the value is valid. */
export function mistakeIn(value: unknown, schema: ToolSchema, name = 'The input'): string | undefined {
  switch (schema.type) {
    case 'string':
      return mistakeInText(value, schema, name);
    case 'integer':
    case 'number':
      return mistakeInNumber(value, schema, name);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `${name} must be true or false.`;
    case 'array':
      return mistakeInList(value, schema, name);
    case 'object':
      return mistakeInObject(value, schema, name);
  }
}

function mistakeInText(value: unknown, { enum: choices, maxLength }: TextSchema, name: string) {
  if (typeof value !== 'string') return `${name} must be a string.`;
  if (choices !== undefined && !choices.includes(value))
    return `${name} must be one of these: ${choices.join(', ')}.`;
  if (maxLength !== undefined && value.length > maxLength)
    return `${name} has ${value.length} characters; at most ${maxLength} are allowed.`;
  return undefined;
}

function mistakeInNumber(value: unknown, { type, minimum, maximum }: NumberSchema, name: string) {
  const fits =
    typeof value === 'number' &&
    value >= minimum &&
    value <= maximum &&
    (type === 'number' || Number.isInteger(value));
  const what = type === 'integer' ? 'a whole number' : 'a number';
  return fits ? undefined : `${name} must be ${what} from ${minimum} to ${maximum}.`;
}

function mistakeInList(
  value: unknown,
  { items, maxItems = Number.POSITIVE_INFINITY }: ListSchema,
  name: string,
) {
  if (!Array.isArray(value)) return `${name} must be a list.`;
  if (value.length > maxItems) return `${name} has ${value.length} items; at most ${maxItems} are allowed.`;
  return firstOf(value, (item, index) => mistakeIn(item, items, `${name}[${index}]`));
}

function mistakeInObject(
  value: unknown,
  { properties = {}, required = [], additionalProperties }: ObjectSchema,
  name: string,
): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return `${name} must be an object.`;
  const missing = required.find((key) => !Object.hasOwn(value, key));
  if (missing !== undefined) return `${name} needs \`${missing}\`.`;
  return firstOf(Object.entries(value), ([key, inner]) => {
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (schema !== undefined) return mistakeIn(inner, schema, `\`${key}\``);
    if (additionalProperties) return undefined;
    const known = Object.keys(properties);
    const hint =
      known.length === 0 ? 'No properties are allowed.' : `The properties are: ${known.join(', ')}.`;
    return `There is no property ${JSON.stringify(key.slice(0, 80))}. ${hint}`;
  });
}

function firstOf<T>(
  items: readonly T[],
  look: (item: T, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = look(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}
