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
import { kindOf, type RuleExample, type RuleText, readRule, rulePath } from './ruleText.ts';

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

/**
 * Says what is wrong with the examples of a page: the one under "Wrong" has to report the code, and the one under "Right" must
 * neither report it nor have an error.
 */
export function problemsInExamples(code: Code, text: RuleText = readRule(code)): readonly string[] {
  const { source, wrong, right } = examplesOf(text);
  const problems: string[] = [];
  if ((wrong === undefined) !== (right === undefined)) problems.push('needs both "## Wrong" and "## Right"');
  if (wrong !== undefined) {
    const found = codesIn(analyzeExample(code, wrong, source));
    const others = found.length > 0 ? `only ${found.join(', ')}` : 'nothing';
    if (!found.includes(code)) problems.push(`the example under "Wrong" reports ${others}`);
  }
  if (right !== undefined) {
    const found = codesIn(analyzeExample(code, right, source));
    const unwanted = found.filter((each) => each === code || severityOf(each) === 'error');
    if (unwanted.length > 0) problems.push(`the example under "Right" reports ${unwanted.join(', ')}`);
  }
  return problems.map((problem) => `${rulePath(code)}: ${problem}.`);
}

function codesIn({ findings }: Analysis): readonly Code[] {
  return [...new Set(findings.map(({ code }) => code))];
}

function groupOf(code: Code): string {
  return [...codeGroups].find(([, codes]) => codes.includes(code))?.[0] ?? '';
}

interface Examples {
  readonly source: RuleExample | undefined;
  readonly wrong: RuleExample | undefined;
  readonly right: RuleExample | undefined;
}

function examplesOf({ examples }: RuleText): Examples {
  const find = (wanted: RuleExample['is']) => examples.find(({ is }) => is === wanted);
  return { source: find('With these tables'), wrong: find('Wrong'), right: find('Right') };
}

function exampleParts(code: Code, text: RuleText): string[] {
  const { source, wrong, right } = examplesOf(text);
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

function analyzeExample(code: Code, { text }: RuleExample, source: RuleExample | undefined): Analysis {
  return analyze(text, {
    kind: kindOf(code),
    defaultSchema: 'public',
    ...(source && readSqlFiles([{ path: 'schema.sql', text: source.text }])),
  });
}

function wordsOn(code: Code, wrong: RuleExample, source: RuleExample | undefined): string[] {
  const analysis = analyzeExample(code, wrong, source);
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
