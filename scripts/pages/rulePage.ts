/**
 * What a page in `docs/rules/` should be: what people wrote in it, with what Headwater itself says of its examples.
 */
import { paintFor } from '../../client/cli/colours.ts';
import { textLines } from '../../client/cli/validate/text.ts';
import {
  type Code,
  codeGroups,
  messageOf,
  severityOf,
  titleOf,
} from '../../server/engine/diagnostics/diagnostics.ts';
import { type Analysis, analyze, positionsIn, readSqlFiles } from '../../server/engine/index.ts';
import { fixesOf } from '../../server/features/actions/quickFixes.ts';
import { kindOf, type RuleExample, type RuleText, readRule } from './ruleText.ts';

export function renderRulePage(code: Code): string {
  const text = readRule(code);
  const severity = severityOf(code);
  const parts = [
    `# ${code}`,
    `**${titleOf(code)}** · ${severity} · [${groupOf(code)}](../RULES.md)`,
    text.reason,
    ...exampleParts(code, text),
    severity === 'error'
      ? 'An error cannot be silenced.'
      : `If this is intentional, silence it with a comment above its key: \`# headwater-ignore ${code}\`.`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function groupOf(code: Code): string {
  return [...codeGroups].find(([, codes]) => codes.includes(code))?.[0] ?? '';
}

function exampleParts(code: Code, { examples }: RuleText): string[] {
  const [source, wrong, right] = (['With these tables', 'Wrong', 'Right'] as const).map((wanted) =>
    examples.find(({ is }) => is === wanted),
  );
  if (wrong === undefined || right === undefined) return [];
  return [
    ...(source ? ['## With these tables', fence('sql', source.text)] : []),
    '## Wrong',
    fence('yaml', wrong.text),
    ...wordsOn(code, wrong, source),
    '## Right',
    fence('yaml', right.text),
  ];
}

function wordsOn(code: Code, bad: RuleExample, source: RuleExample | undefined): string[] {
  const kind = kindOf(code);
  const analysis = analyze(bad.text, {
    kind,
    defaultSchema: 'public',
    ...(source && readSqlFiles([{ path: 'schema.sql', text: source.text }])),
  });
  const fixes = analysis.findings
    .filter((finding) => finding.code === code)
    .flatMap((finding) => fixesOf(analysis, finding).map(({ title }) => title));
  return [
    'Headwater says:',
    fence('text', `${linesAbout(code, analysis).join('\n')}\n`),
    ...(fixes.length === 0
      ? []
      : [`Quick fixes:\n\n${[...new Set(fixes)].map((title) => `- ${title}`).join('\n')}`]),
  ];
}

/** As `headwater validate` prints it. */
function linesAbout(code: Code, { text, findings }: Analysis): readonly string[] {
  const kind = kindOf(code);
  const positionAt = positionsIn(text);
  const diagnostics = findings
    .filter((finding) => finding.code === code)
    .map((finding) => ({
      code,
      severity: severityOf(code),
      message: messageOf(finding),
      range: { start: positionAt(finding.span.start), end: positionAt(finding.span.end) },
    }));
  return textLines([{ path: `${kind}.yaml`, kind, text, diagnostics }], paintFor(false, {}), true);
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\`\`\``;
}
