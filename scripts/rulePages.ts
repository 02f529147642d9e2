/** A page for each code of the engine: why, and what is wrong and right, with what Headwater itself says of it. */
import { paintFor } from '../client/cli/colours.ts';
import { textLines } from '../client/cli/validate/text.ts';
import { type Code, messageOf, severityOf } from '../server/engine/diagnostics.ts';
import { type Analysis, analyze, positionsIn, readSqlFiles } from '../server/engine/index.ts';
import { fixesOf } from '../server/features/actions/quickFixes.ts';
import { kindOf, type RuleExample, type RuleHeading, readHeading } from './ruleHeadings.ts';

export function renderRulePage(code: Code, group: string): string {
  const heading = readHeading(code);
  const severity = severityOf(code);
  const parts = [
    `# ${code}`,
    `**${heading.title}** · ${severity} · [${group}](../RULES.md)`,
    heading.reason,
    ...exampleParts(code, heading),
    severity === 'error'
      ? 'An error cannot be silenced.'
      : `Where it is meant as it stands, a comment above its key silences it: \`# headwater-ignore ${code}\`.`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function exampleParts(code: Code, { examples }: RuleHeading): string[] {
  const [source, bad, good] = (['With this source', 'Bad', 'Good'] as const).map((wanted) =>
    examples.find(({ is }) => is === wanted),
  );
  if (bad === undefined || good === undefined) return [];
  return [
    ...(source ? ['## With these tables', fenced('sql', source.text)] : []),
    '## Wrong',
    fenced('yaml', bad.text),
    ...wordsOn(code, bad, source),
    '## Right',
    fenced('yaml', good.text),
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
    fenced('text', `${linesAbout(code, analysis).join('\n')}\n`),
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

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\`\`\``;
}
