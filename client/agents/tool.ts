/** A tool: a row of the table in `tools.ts`. */

import { adviceForAgents, lineForAgents } from './adviceForAgents.ts';
import type { Draft } from './budget.ts';
import type { CommandReport, Judge, JudgedSubject, ToolReach } from './judge.ts';
import type { ObjectSchema, ToolSchema } from './toolSchema.ts';

export interface Tool {
  readonly name: string;
  /** The title for people. */
  readonly title: string;
  /** The description for people, in one sentence. */
  readonly purpose: string;
  /** The name of a product icon of VS Code. */
  readonly icon: string;
  /** The description for a model: its effect, and the cases in which it is useful. */
  readonly sentences: string;
  readonly input: ObjectSchema;
  readonly output: ObjectSchema;
  readonly touches: ToolReach;
  readonly run: (call: ToolCall) => Promise<Draft>;
}

interface ToolCall {
  /** The values of the input, which match the input schema. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly judge: Judge;
  readonly signal: AbortSignal;
}

/** The maximum length of a text in characters: more than any config has, but few enough to be read at once. */
const longestText = 1_000_000;

export const fileInput = {
  type: 'string',
  maxLength: 4096,
  description:
    'The path of the file, relative to the workspace folder. If it is omitted, the sync config is found automatically.',
} as const satisfies ToolSchema;

export const textInput = {
  type: 'string',
  maxLength: longestText,
  description:
    'The whole content of the file, to check it before it is written. It replaces the content of `file`.',
} as const satisfies ToolSchema;

export const subjectInput = { file: fileInput, text: textInput } as const;

const pageInput = {
  from: { type: 'integer', minimum: 0, maximum: 1_000_000, description: 'The number of items to skip.' },
  max_tokens: {
    type: 'integer',
    minimum: 200,
    maximum: 50_000,
    description: 'The maximum length of the answer, in tokens (default: 2000).',
  },
} as const;

export function inputSchema(
  properties: Readonly<Record<string, ToolSchema>>,
  required: readonly string[] = [],
): ObjectSchema {
  return {
    type: 'object',
    properties: { ...properties, ...pageInput },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

export function outputSchema(
  properties: Readonly<Record<string, ToolSchema>>,
  required: readonly string[],
): ObjectSchema {
  return {
    type: 'object',
    properties: { ...properties, cut: { type: 'string', description: 'How to get the remaining items.' } },
    required,
    additionalProperties: false,
  };
}

export const linesOutput = { type: 'array', items: { type: 'string' } } as const satisfies ToolSchema;

/** The output schema of tools that run a command. */
export const commandOutput = outputSchema(
  {
    yes: { type: 'boolean', description: 'The meaning is in the description of the tool. Absent: unknown.' },
    lines: linesOutput,
    remarks: linesOutput,
  },
  ['lines'],
);

export function subjectIn({ file, text }: ToolCall['input']): JudgedSubject {
  return { file: stringIn(file), text: stringIn(text) };
}

/** Returns an input that is a string or absent. The type was checked before. */
export function stringIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns a value as JSON, which is the form of objects in options of commands. */
export function jsonOf(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

/** The failure of a tool, with a sentence for its caller. */
export class ToolFailure extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'ToolFailure';
  }
}

/** Returns the answer of a tool that runs a command. Throws the remarks of a command that failed. */
export function draftOf({ code, lines, remarks }: CommandReport): Draft {
  if (code !== 0 && lines.length === 0)
    throw new ToolFailure(remarks.join('\n') || 'The tool failed without a reason.');
  return {
    facts: {
      ...(code !== 2 && { yes: code === 0 }),
      ...(remarks.length > 0 && { remarks: remarks.map(adviceForAgents) }),
    },
    list: listNamed('lines', lines, lineForAgents),
  };
}

export function listNamed<T>(
  name: string,
  items: readonly T[],
  shape: (item: T) => unknown = (item) => item,
): Draft['list'] & object {
  return { name, length: items.length, at: (index) => shape(items[index] as T) };
}
