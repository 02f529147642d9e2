/** Reads the hand-written parts of the pages in `docs/rules/`. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Code } from '../../server/engine/diagnostics/diagnostics.ts';
import { root } from '../root.ts';

export interface RuleText {
  /** The reason why the code matters. */
  readonly reason: string;
  readonly examples: readonly RuleExample[];
}

export interface RuleExample {
  /**
   * The role of an example. The tables of the source, as SQL, and the sync config that is under test apply to both of the others,
   * which are entire files.
   */
  readonly is: 'With these tables' | 'With this config' | 'Wrong' | 'Right';
  readonly text: string;
}

export function rulePath(code: Code): string {
  return `docs/rules/${code}.md`;
}

export function readRule(code: Code): RuleText {
  const page = readFileSync(join(root, rulePath(code)), 'utf8').replaceAll('\r\n', '\n');
  const [start = '', ...sections] = page.split(/^(?=## )/m);
  return { reason: reasonIn(start), examples: sections.flatMap(exampleIn) };
}

/** Returns the text between the head of the page and its examples, without the last sentence, which every page has. */
function reasonIn(start: string): string {
  const paragraphs = start.trim().split('\n\n');
  return paragraphs
    .filter((paragraph) => !/^# |^\*\*.+\*\* · |^An error cannot|^If this is intentional/.test(paragraph))
    .join('\n\n');
}

function exampleIn(section: string): RuleExample[] {
  const groups = /^## (?<is>.+)\n\n```(?:sql|yaml)\n(?<text>[\s\S]*?)^```$/m.exec(section)?.groups;
  return groups === undefined ? [] : [{ is: groups.is as RuleExample['is'], text: groups.text ?? '' }];
}

/** Returns a module with the reasons of all codes, for editors. */
export function renderReasons(): string {
  const codes = globSync('docs/rules/*.md', { cwd: root })
    .map((path) => basename(path, '.md'))
    .sort();
  const rows = codes.map(
    (code) =>
      `  [${JSON.stringify(code)}, ${JSON.stringify(withoutComments(readRule(code as Code).reason))}],`,
  );
  return ['export const reasons = new Map([', ...rows, ']);'].join('\n');
}

/** Removes the comments of a page, which say where its numbers come from. */
function withoutComments(text: string): string {
  return text.replaceAll(/\n?<!--[\s\S]*?-->/g, '');
}

/** Returns the kind of file that the examples of a rule are. */
export function kindOf(code: Code): 'service' | 'sync' | 'tests' {
  if (/^(?:test-|always-)/.test(code)) return 'tests';
  return /^(service-|env-|unknown-tag)/.test(code) ? 'service' : 'sync';
}
