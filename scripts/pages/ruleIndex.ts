/** docs/RULES.md: every code with its severity and title, in groups. */
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

What Headwater can say about a config, code by code; each has a page with the reason, and with what is wrong and right.
What a running service answers is in [ERRORS](ERRORS.md).

An **error** means that a service refuses the config, or that data leaks; a **warning**, that it is accepted, but surely
wrong or unsafe; a **hint** is about style or cost. A comment \`# headwater-ignore <code>\` silences a warning or a hint
in its own line, or in the next one with all that is indented below it.

\`npm run rules\` writes this page, and brings the pages of the codes up to date with what Headwater says of their
examples; the rest of those pages is written by hand.`;
