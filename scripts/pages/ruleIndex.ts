/** Writes docs/RULES.md: every code with its severity and title, in groups. */
import { codeGroups, severityOf, titleOf } from '../../server/engine/diagnostics/diagnostics.ts';

export function renderRuleIndex(): string {
  const groups = [...codeGroups].map(([title, inGroup]) => {
    const rows = inGroup.map(
      (code) => `| [\`${code}\`](rules/${code}.md) | ${severityOf(code)} | ${titleOf(code)} |`,
    );
    return [`## ${title}`, ['| Code | | |', '| --- | --- | --- |', ...rows].join('\n')].join('\n\n');
  });
  return `${[introduction, ...groups].join('\n\n')}\n`;
}

const introduction = `# Rules

These are all findings about a config. Each has a page with the reason, a wrong example and a right one.
The errors of a running service are in [ERRORS](ERRORS.md).

An **error** means that a service refuses the config, or that data leaks. A **warning** means that a service accepts the config,
but that it is wrong or unsafe. A **hint** is about style or cost. A comment \`# headwater-ignore <code>\` silences a warning or a hint
in its own line, or in the next line and in all lines that are indented below that line.

\`npm run rules\` writes this page, and updates the findings and fixes that the pages of the codes show for their examples. The rest of
those pages is written by hand.`;
