/**
 * Makes the wanted text of a page in `docs/rules/`: the written parts, with Headwater's own output for the examples.
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
import { type Analysis, analyze, positionsIn, readSqlFiles, syncMapOf } from '../../server/engine/index.ts';
import { isOpenTo } from '../../server/engine/map/audiences.ts';
import { fixesOf } from '../../server/features/actions/quickFixes.ts';
import { anchorOf } from './anchor.ts';
import { kindOf, type RuleExample, type RuleText, readRule, rulePath } from './ruleText.ts';

export function renderRulePage(code: Code): string {
  const text = readRule(code);
  const severity = severityOf(code);
  const parts = [
    `# ${code}`,
    `**${titleOf(code)}** · ${severity} · [${groupOf(code)}](../RULES.md#${anchorOf(groupOf(code))})`,
    text.reason,
    ...exampleParts(code, text),
    severity === 'error'
      ? 'An error cannot be silenced.'
      : `If this is intentional, silence it with a comment above its key: \`# headwater-ignore ${code}\`.`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/**
 * Returns the problems of the examples of a page. The one under "Wrong" must report the code. The one under "Right" must neither
 * report it nor have an error or a leak, and must send rows to their owner only, because readers copy examples.
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
    const analysis = analyzeExample(code, right, source);
    const found = codesIn(analysis);
    const unwanted = found.filter((each) => each === code || severityOf(each) === 'error' || isLeak(each));
    if (unwanted.length > 0) problems.push(`the example under "Right" reports ${unwanted.join(', ')}`);
    const open = code in forEverybody ? [] : openStreams(analysis);
    if (open.length > 0)
      problems.push(`the example under "Right" sends the rows of ${open.join(', ')} to everybody`);
  }
  return problems.map((problem) => `${rulePath(code)}: ${problem}.`);
}

/** Whether the code is a warning of rows that reach too many users. */
function isLeak(code: Code): boolean {
  return severityOf(code) === 'warning' && groupOf(code) === groupOf('row-not-compared');
}

/** The rules whose subject is rows for everybody. */
const forEverybody: Partial<Record<Code, true>> = {
  'or-parameters-mismatch': true,
  'reads-rows-of-others': true,
};

/** Returns the names of the streams that clients get whatever their token contains. */
function openStreams({ config }: Analysis): readonly string[] {
  if (config === undefined) return [];
  const { streams, audiences } = syncMapOf(config, undefined);
  const open = new Set(audiences.filter(isOpenTo).map(({ id }) => id));
  return streams.filter((stream) => stream.audiences.some((id) => open.has(id))).map(({ name }) => name);
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

/** Returns the lines that `headwater validate` prints. */
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
