/** The tools for agents, with files in memory, and a program without a model that repairs wrong configs with these tools. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callTool, toolNamed } from '../../../client/agents/callTool.ts';
import type { Judge } from '../../../client/agents/judge.ts';
import { judgeIn } from '../../../client/cli/agents/judge.ts';
import { run } from '../../../client/cli/run.ts';
import { root } from '../house/imports.ts';
import { cliWorld, type Surroundings } from './cliWorld.ts';

export interface AgentTools {
  readonly judge: Judge;
  readonly call: (name: string, input?: object) => Promise<ToolReply>;
  /** The files after the run. */
  readonly files: ReadonlyMap<string, string | Error>;
  /** The lines that were printed outside the answers. */
  readonly printed: readonly string[];
}

export interface ToolReply {
  readonly text: string;
  readonly isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of the answer that it reads
  readonly answer: any;
}

export function toolsIn(around: Surroundings = {}): AgentTools {
  const files = new Map(Object.entries(around.files ?? {}));
  const printed: string[] = [];
  const judge = judgeIn(cliWorld(around, files, printed, printed), (args, world) => run(args, world));
  return {
    judge,
    files,
    printed,
    async call(name, input = {}) {
      const tool = toolNamed(name);
      if (tool === undefined) throw new Error(`There is no tool ${name}.`);
      const { text, isError } = await callTool(tool, input, judge, new AbortController().signal);
      return { text, isError, answer: JSON.parse(text) };
    },
  };
}

interface WrongConfig {
  readonly name: string;
  readonly text: string;
}

const fixtures = join(root, 'test/fixtures/agents');

export function wrongConfigs(): readonly WrongConfig[] {
  const parts = readFileSync(join(fixtures, 'wrong.txt'), 'utf8').split(/^=== /m).slice(1);
  return parts.map((part) => {
    const end = part.indexOf('\n');
    return { name: part.slice(0, end), text: `${part.slice(end + 1).trimEnd()}\n` };
  });
}

export function tablesForWrongConfigs(): string {
  return readFileSync(join(fixtures, 'schema.sql'), 'utf8');
}

interface Repair {
  readonly text: string;
  /** The codes of the remaining errors. `unread` if the config could not be validated. */
  readonly left: readonly string[];
}

type Call = (name: string, input: object) => Promise<ToolReply>;

/** The maximum number of rounds. A repair that ends needs fewer. */
const mostRounds = 12;

/**
 * Repairs a config like an agent that only follows the answers: makes all sure fixes, then the first fix of the first error that
 * has one, or a migration if no error has one, and starts again.
 */
export async function repairByTools(first: string, call: Call): Promise<Repair> {
  let text = first;
  let left: readonly string[] = ['unread'];
  for (let round = 0; round < mostRounds; round += 1) {
    const fixed = await call('fix_config', { text, max_tokens: 50_000 });
    if (!fixed.isError) text = fixed.answer.lines.join('\n');
    const { answer, isError } = await call('validate_config', { text, max_tokens: 50_000 });
    if (isError) return { text, left };
    const errors = answer.findings.filter((finding: Finding) => finding.severity === 'error');
    left = errors.map(({ code }: Finding) => code);
    if (left.length === 0) return { text, left };
    const edits = errors.find(({ fixes }: Finding) => fixes?.[0]?.edits !== undefined)?.fixes?.[0]?.edits;
    const migrated =
      edits === undefined ? await call('migrate_config', { text, max_tokens: 50_000 }) : undefined;
    const next =
      edits === undefined
        ? migrated?.answer.yes === true
          ? migrated.answer.lines.join('\n')
          : text
        : withEdits(text, edits);
    if (next === text) return { text, left };
    text = next;
  }
  return { text, left };
}

interface Finding {
  readonly severity: string;
  readonly code: string;
  readonly fixes?: readonly { readonly edits?: readonly Edit[] }[];
}

interface Edit {
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

function withEdits(text: string, edits: readonly Edit[]): string {
  const lines = text.split('\n');
  const offsetOf = (place: string): number => {
    const [line = 0, column = 0] = place.split(':').map(Number);
    return lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
  };
  return edits
    .map((edit) => ({ start: offsetOf(edit.from), end: offsetOf(edit.to), text: edit.text }))
    .toSorted((one, other) => other.start - one.start || other.end - one.end)
    .reduce(
      (rest, { start, end, text: inserted }) => rest.slice(0, start) + inserted + rest.slice(end),
      text,
    );
}
