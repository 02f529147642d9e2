/** `npm run rules`: writes what there is to read about each code and each command, and what editors show of it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { severityOf } from '../server/engine/diagnostics.ts';
import { ruleGroups } from '../server/engine/rules/index.ts';
import { serviceErrorCodes } from '../server/service/http/errors.ts';
import { renderCliPage } from './cliPage.ts';
import { root } from './root.ts';
import { readHeading } from './ruleHeadings.ts';
import { renderRulePage } from './rulePages.ts';
import { renderErrorIndex, renderServicePage } from './servicePages.ts';

/** Each generated file by its path, with the text that it should have. */
export function pages(): ReadonlyMap<string, string> {
  return new Map([
    ['docs/RULES.md', renderIndex()],
    ['docs/ERRORS.md', renderErrorIndex()],
    ['docs/CLI.md', renderCliPage()],
    ...serviceErrorCodes.map((code) => [`docs/errors/${code}.md`, renderServicePage(code)] as const),
    ['server/features/explain/rules.generated.ts', renderRuleTexts()],
    ...ruleGroups.flatMap(({ title, rules }) =>
      rules.map(({ code }) => [`docs/errors/${code}.md`, renderRulePage(code, title)] as const),
    ),
  ]);
}

function renderIndex(): string {
  const groups = ruleGroups.map(({ title, rules }) => {
    const rows = rules.map(
      ({ code }) => `| [\`${code}\`](errors/${code}.md) | ${severityOf(code)} | ${readHeading(code).title} |`,
    );
    return [`## ${title}`, ['| Code | | |', '| --- | --- | --- |', ...rows].join('\n')].join('\n\n');
  });
  return `${[introduction, ...groups].join('\n\n')}\n`;
}

const introduction = `# Rules

What Headwater can say about a config, code by code; each has a page with the reason, and with what is wrong and right.
What a running service answers is in [ERRORS](ERRORS.md).

An **error** means that a service refuses the config, or that data leaks; a **warning**, that it is accepted, but surely
wrong or unsafe; a **hint** is about style or cost. A comment \`# headwater-ignore <code>\` silences a warning or a hint
in its own line, or in the next one with all that is indented below it.

This page and those of the codes are generated from the heading comments of \`server/engine/rules/\`: change them there,
then run \`npm run rules\`.`;

/** Title and reason of each rule, without its examples. */
function renderRuleTexts(): string {
  const rows = ruleGroups
    .flatMap(({ rules }) => rules)
    .map(({ code }) => {
      const { title, reason } = readHeading(code);
      return `  ['${code}', ${JSON.stringify({ title, reason })}],`;
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
  for (const [path, text] of pages()) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
