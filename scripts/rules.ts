/** `npm run rules`: writes the pages of all codes and commands, and what editors show of them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeGroups, severityOf, titleOf } from '../server/engine/diagnostics/diagnostics.ts';
import { serviceErrorCodes } from '../server/service/ground/errors.ts';
import { renderCliPage } from './pages/cliPage.ts';
import { renderRulePage } from './pages/rulePage.ts';
import { rulePath } from './pages/ruleText.ts';
import { renderErrorIndex, renderServicePage } from './pages/servicePage.ts';
import { root } from './root.ts';

const codes = [...codeGroups.values()].flat();

/** Each page by its path, with the text that it should have. */
export function pages(): ReadonlyMap<string, string> {
  return new Map([
    ['docs/RULES.md', renderIndex()],
    ['docs/ERRORS.md', renderErrorIndex()],
    ['docs/CLI.md', renderCliPage()],
    ...serviceErrorCodes.map((code) => [`docs/errors/${code}.md`, renderServicePage(code)] as const),
    ...codes.map((code) => [rulePath(code), renderRulePage(code)] as const),
  ]);
}

function renderIndex(): string {
  const groups = [...codeGroups].map(([title, inGroup]) => {
    const rows = inGroup.map(
      (code) => `| [\`${code}\`](rules/${code}.md) | ${severityOf(code)} | ${titleOf(code)} |`,
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

\`npm run rules\` writes this page, and brings the pages of the codes up to date with what Headwater says of their
examples; the rest of those pages is written by hand.`;

if (import.meta.main) {
  for (const [path, text] of pages()) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
