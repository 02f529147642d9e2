/** Handles one call of a tool: checks the input, runs the tool, and limits the answer to its share of tokens. */

import { adviceForAgents } from './adviceForAgents.ts';
import { answerText, usualTokens } from './budget.ts';
import type { Judge } from './judge.ts';
import { type Tool, ToolFailure } from './tool.ts';
import { mistakeIn } from './toolSchema.ts';
import { tools } from './tools.ts';

interface ToolAnswer {
  /** The answer as JSON. */
  readonly text: string;
  readonly isError: boolean;
}

/** Returns the tool with this name, or undefined if it does not exist. */
export function toolNamed(name: unknown): Tool | undefined {
  return tools.find((tool) => tool.name === name);
}

export async function callTool(
  tool: Tool,
  input: unknown,
  judge: Judge,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const mistake = mistakeIn(input, tool.input);
  if (mistake !== undefined) return failWith(`${tool.name}: ${mistake}`, judge);
  const known = input as Readonly<Record<string, unknown>>;
  const { from = 0, max_tokens: mostTokens = usualTokens } = known as { from?: number; max_tokens?: number };
  try {
    const draft = await tool.run({ input: known, judge, signal });
    return { text: judge.withoutSecrets(answerText(draft, { from, mostTokens })), isError: false };
  } catch (error) {
    if (signal.aborted) return failWith('The call took too long, or was cancelled. Ask for less.', judge);
    return failWith(sentenceOf(error, judge), judge);
  }
}

/** Returns a sentence for an agent. An unexpected error is our mistake, and its place in the code would not help an agent. */
function sentenceOf(error: unknown, judge: Judge): string {
  if (judge.isFailure(error) || error instanceof ToolFailure) return adviceForAgents(error.message);
  const text = error instanceof Error ? error.message : String(error);
  return `Internal error in Headwater: ${text}. Please report it. Your file is not the cause.`;
}

function failWith(sentence: string, judge: Judge): ToolAnswer {
  const draft = { facts: { error: sentence } };
  const text = answerText(draft, { from: 0, mostTokens: usualTokens });
  return { text: judge.withoutSecrets(text), isError: true };
}
