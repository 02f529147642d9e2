/** The heading comments of `server/engine/rules/`, which are the source of every page about a rule. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Code } from '../server/engine/diagnostics.ts';
import type { AnalyzeInput } from '../server/engine/index.ts';
import { root } from './root.ts';

export interface RuleHeading {
  readonly title: string;
  readonly reason: string;
  readonly examples: readonly RuleExample[];
}

export interface RuleExample {
  /** The tables that there are, for both of the others. */
  readonly is: 'With this source' | 'Bad' | 'Good';
  /** A whole file; an example in SQL is the only query of a stream. */
  readonly text: string;
}

export function readHeading(code: Code): RuleHeading {
  const source = readFileSync(join(root, `server/engine/rules/${code}.ts`), 'utf8');
  const comment = /^\/\*\*\n(?<lines>(?: \*.*\n)*?) \*\/\n/.exec(source)?.groups?.lines;
  if (comment === undefined) throw new Error(`The rule ${code} has no heading comment.`);
  const [title = '', ...rest] = comment
    .replace(/^ \* ?/gm, '')
    .trimEnd()
    .split('\n');
  const text = rest.join('\n');
  const [reason = ''] = text.split(anExample);
  return { title, reason: reason.trim(), examples: examplesIn(text) };
}

/** What an example is has a line of its own, and is followed by a fenced block. */
const anExample = /^(?:With this source|Bad|Good):\n\n```/m;

function examplesIn(text: string): RuleExample[] {
  const blocks = text.matchAll(
    /^(?<is>With this source|Bad|Good):\n\n```(?<language>\w+)\n(?<text>[\s\S]*?)^```$/gm,
  );
  return [...blocks].map(({ groups: { is, language, text = '' } = {} }) => ({
    is: is as RuleExample['is'],
    text: language === 'sql' && is !== 'With this source' ? streamOf(text) : text,
  }));
}

function streamOf(sql: string): string {
  const lines = sql.replace(/^(?=.)/gm, '      ');
  return `config:\n  edition: 3\nstreams:\n  example:\n    query: |\n${lines}`;
}

/** Which of the two files the examples of a rule are. */
export function kindOf(code: Code): NonNullable<AnalyzeInput['kind']> {
  return /^(service-|env-|unknown-tag)/.test(code) ? 'service' : 'sync';
}
