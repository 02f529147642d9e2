/** Returns the expected text of a page in `docs/rules/`: the hand-written parts, and Headwater's own output for the examples. */
import { paintFor } from '../../client/cli/colours.ts';
import { textLines } from '../../client/cli/validate/text.ts';
import {
  type Code,
  codeGroups,
  type Finding,
  messageOf,
  severityOf,
  titleOf,
} from '../../server/engine/diagnostics/diagnostics.ts';
import { type Analysis, analyze, positionsIn, readSqlFiles, syncMapOf } from '../../server/engine/index.ts';
import { isOpenTo } from '../../server/engine/map/audiences.ts';
import { fixesOf } from '../../server/features/actions/quickFixes.ts';
import { anchorOf } from './anchor.ts';
import { kindOf, type RuleExample, type RuleText, readRule, rulePath } from './ruleText.ts';
import { findingsOfTests, type ShownFinding } from './testExample.ts';

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
 * Returns the problems of the examples of a page. The one under "Wrong" must report the code. The one under "Right" must not report
 * it, must have no errors or leaks, and must send rows only to their owner, because readers copy examples.
 */
export function problemsInExamples(code: Code, text: RuleText = readRule(code)): readonly string[] {
  const { source, config, wrong, right } = examplesOf(text);
  const problems: string[] = [];
  const isOfTests = kindOf(code) === 'tests';
  if (isOfTests && wrong !== undefined && config === undefined)
    return [`${rulePath(code)}: needs "## With this config".`];
  if ((wrong === undefined) !== (right === undefined)) problems.push('needs both "## Wrong" and "## Right"');
  if (wrong !== undefined) {
    const found = codesOf(code, wrong, text);
    const others = found.length > 0 ? `only ${found.join(', ')}` : 'nothing';
    if (!found.includes(code)) problems.push(`the example under "Wrong" reports ${others}`);
  }
  if (right !== undefined) {
    const found = codesOf(code, right, text);
    const unwanted = found.filter((each) => each === code || severityOf(each) === 'error' || isLeak(each));
    if (unwanted.length > 0) problems.push(`the example under "Right" reports ${unwanted.join(', ')}`);
    // Readers also copy the config that a test is about.
    const copied =
      isOfTests && config !== undefined
        ? analyzeExample('sync', config, source)
        : analyzeExample(kindOf(code), right, source);
    const open = code in forEverybody ? [] : openStreams(copied);
    if (open.length > 0)
      problems.push(`the example under "Right" sends the rows of ${open.join(', ')} to everybody`);
  }
  return problems.map((problem) => `${rulePath(code)}: ${problem}.`);
}

/** Whether the code warns about rows that reach too many users. */
function isLeak(code: Code): boolean {
  return severityOf(code) === 'warning' && groupOf(code) === groupOf('row-not-compared');
}

/** Rules whose subject is rows for all users. */
const forEverybody: Partial<Record<Code, true>> = {
  'or-parameters-mismatch': true,
  'reads-rows-of-others': true,
};

/** Returns the names of the streams that clients get regardless of their token. */
function openStreams({ config }: Analysis): readonly string[] {
  if (config === undefined) return [];
  const { streams, audiences } = syncMapOf(config, undefined);
  const open = new Set(audiences.filter(isOpenTo).map(({ id }) => id));
  return streams.filter((stream) => stream.audiences.some((id) => open.has(id))).map(({ name }) => name);
}

function codesOf(code: Code, example: RuleExample, text: RuleText): readonly Code[] {
  return [...new Set(findingsOf(code, example, text).map((finding) => finding.code))];
}

function findingsOf(code: Code, example: RuleExample, text: RuleText): readonly ShownFinding[] {
  const { source, config } = examplesOf(text);
  if (kindOf(code) === 'tests')
    return config === undefined ? [] : findingsOfTests(example, { config, source });
  return shownFindings(analyzeExample(kindOf(code), example, source).findings);
}

export function shownFindings(findings: readonly Finding[]): readonly ShownFinding[] {
  return findings.map((finding) => ({ code: finding.code, message: messageOf(finding), span: finding.span }));
}

function groupOf(code: Code): string {
  return [...codeGroups].find(([, codes]) => codes.includes(code))?.[0] ?? '';
}

interface Examples {
  readonly source: RuleExample | undefined;
  readonly config: RuleExample | undefined;
  readonly wrong: RuleExample | undefined;
  readonly right: RuleExample | undefined;
}

export function examplesOf({ examples }: RuleText): Examples {
  const find = (wanted: RuleExample['is']) => examples.find(({ is }) => is === wanted);
  return {
    source: find('With these tables'),
    config: find('With this config'),
    wrong: find('Wrong'),
    right: find('Right'),
  };
}

function exampleParts(code: Code, text: RuleText): string[] {
  const { source, config, wrong, right } = examplesOf(text);
  if (wrong === undefined || right === undefined) return [];
  return [
    ...(source ? ['## With these tables', fence('sql', source.text)] : []),
    ...(config ? ['## With this config', fence('yaml', config.text)] : []),
    '## Wrong',
    fence('yaml', wrong.text),
    ...wordsOn(code, wrong, text),
    '## Right',
    fence('yaml', right.text),
  ];
}

export function analyzeExample(
  kind: ReturnType<typeof kindOf>,
  { text }: RuleExample,
  source: RuleExample | undefined,
): Analysis {
  return analyze(text, {
    kind: kind === 'tests' ? 'sync' : kind,
    defaultSchema: 'public',
    ...(source && readSqlFiles([{ path: 'schema.sql', text: source.text }])),
  });
}

function wordsOn(code: Code, wrong: RuleExample, text: RuleText): string[] {
  const findings = findingsOf(code, wrong, text).filter((finding) => finding.code === code);
  const fixes = kindOf(code) === 'tests' ? [] : fixTitles(code, wrong, examplesOf(text).source);
  return [
    'Headwater says:',
    fence('text', `${linesOf(findings, wrong, kindOf(code)).join('\n')}\n`),
    ...(fixes.length === 0 ? [] : [`Quick fixes:\n\n${fixes.map((title) => `- ${title}`).join('\n')}`]),
  ];
}

function fixTitles(code: Code, wrong: RuleExample, source: RuleExample | undefined): readonly string[] {
  const analysis = analyzeExample(kindOf(code), wrong, source);
  const findings = analysis.findings.filter((finding) => finding.code === code);
  return [...new Set(findings.flatMap((finding) => fixesOf(analysis, finding).map(({ title }) => title)))];
}

/** Returns the lines that `headwater validate` or `headwater test` prints for findings. */
export function linesOf(
  findings: readonly ShownFinding[],
  { text }: Pick<Analysis, 'text'>,
  kind: ReturnType<typeof kindOf>,
): readonly string[] {
  const positionAt = positionsIn(text);
  const diagnostics = findings.map(({ code, message, span }) => ({
    code,
    severity: severityOf(code),
    message,
    range: { start: positionAt(span.start), end: positionAt(span.end) },
  }));
  const path = kind === 'tests' ? 'access.sync-test.yaml' : `${kind}.yaml`;
  return textLines([{ path, kind, text, diagnostics }], paintFor(false, {}), true);
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\`\`\``;
}
