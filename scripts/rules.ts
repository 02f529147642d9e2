/** `npm run rules`: writes docs/RULES.md, and what editors show of it, from the heading comments of `server/engine/rules/`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Code, severityOf } from '../server/engine/diagnostics.ts';
import { ruleGroups } from '../server/engine/rules/index.ts';
import { root } from './root.ts';

export const page = join(root, 'docs/RULES.md');
export const ruleTexts = join(root, 'server/features/explain/rules.generated.ts');

/** One fenced block of a heading comment, with the line that announces it, e.g. `Bad:`. */
export interface RuleExample {
  readonly heading: string;
  readonly language: string;
  readonly text: string;
}

/** The heading comment of a rule's file, without the signs of a comment: its first line is the title. */
export function readHeading(code: Code): string {
  const source = readFileSync(join(root, `server/engine/rules/${code}.ts`), 'utf8');
  const comment = /^\/\*\*\n(?<lines>(?: \*.*\n)*?) \*\/\n/.exec(source)?.groups?.lines;
  if (comment === undefined) throw new Error(`The rule ${code} has no heading comment.`);
  return comment.replace(/^ \* ?/gm, '').trimEnd();
}

export function examplesOf(heading: string): RuleExample[] {
  return [...heading.matchAll(/^(?<heading>.+:)\n\n```(?<language>\w+)\n(?<text>[\s\S]*?)^```$/gm)].map(
    (match) => ({
      heading: match.groups?.heading ?? '',
      language: match.groups?.language ?? '',
      text: match.groups?.text ?? '',
    }),
  );
}

export function renderRules(): string {
  const groups = ruleGroups.map(({ title, rules }) => [
    `## ${title}`,
    ...rules.map(({ code }) => renderRule(code)),
  ]);
  return `${[introduction, ...groups.flat()].join('\n\n')}\n`;
}

const introduction = `# Rules

What Headwater can say about a config, code by code. An **error** means that a service refuses the config, or that
data leaks; a **warning**, that it is accepted, but surely wrong or unsafe; a **hint** is about style or cost.

A comment \`# headwater-ignore <code>\` silences a warning or a hint in the next line. An example in SQL is the only
query of a stream of edition 3.

This page is generated from the heading comments of \`server/engine/rules/\`: change it there, then run
\`npm run rules\`.`;

function renderRule(code: Code): string {
  const [title, ...rest] = readHeading(code).split('\n');
  return [`### ${code}`, '', `**${severityOf(code)}** · ${title}`, ...rest].join('\n');
}

/** Title and reason of each rule, without its examples. */
export function renderRuleTexts(): string {
  const rows = ruleGroups
    .flatMap(({ rules }) => rules)
    .map(({ code }) => {
      const [title = '', ...rest] = readHeading(code).split('\n');
      const [reason = ''] = rest.join('\n').split(/\n\n[^\n]+:\n\n```/);
      return `  ['${code}', ${JSON.stringify({ title, reason: reason.trim() })}],`;
    });
  return [
    '// Made of the heading comments of server/engine/rules/ by scripts/rules.ts. Do not edit.',
    'export const ruleTexts: ReadonlyMap<string, { readonly title: string; readonly reason: string }> = new Map([',
    ...rows,
    ']);',
    '',
  ].join('\n');
}

if (import.meta.main) {
  writeFileSync(page, renderRules());
  writeFileSync(ruleTexts, renderRuleTexts());
}
