/** Comments that ignore a finding. */
import { type Finding, severityOf } from '../../engine/diagnostics/diagnostics.ts';
import type { Analysis } from '../../engine/index.ts';
import type { Edit } from '../../engine/text/edit.ts';
import { columnOf } from '../../engine/text/lines.ts';
import { span } from '../../engine/text/span.ts';
import { endOfLineOf } from '../../engine/yaml/columns.ts';
import { analyzeAgain } from '../reading/again.ts';
import { sqlTextsOf } from '../reading/sqlTexts.ts';
import type { Fix } from './fix.ts';

/**
 * Offers to ignore a finding in a comment above its line, or after a key whose value has several lines. Only warnings and hints can
 * be ignored.
 */
export function ignoreFix(analysis: Analysis, finding: Finding): readonly Fix[] {
  if (severityOf(finding.code) === 'error' || finding.code === 'unused-ignore') return [];
  const edits = [commentAbove(analysis, finding)];
  const isIgnored = ({ code }: Finding) => code === finding.code;
  const after = analyzeAgain(analysis, edits);
  if (after.findings.some(({ code }) => code === 'unused-ignore')) return [];
  if (after.findings.filter(isIgnored).length >= analysis.findings.filter(isIgnored).length) return [];
  return [{ title: `Ignore ${finding.code} here`, edits }];
}

function commentAbove(analysis: Analysis, finding: Finding): Edit {
  const { text } = analysis;
  const sql = sqlTextsOf(analysis).find(
    ({ span: at }) => at.start <= finding.span.start && finding.span.end <= at.end,
  );
  const isLiteral = sql !== undefined && text[sql.span.start] === '|';
  const anchor = sql && !isLiteral ? sql.span.start : finding.span.start;
  const line = anchor - columnOf(text, anchor);
  const indent = /^[ \t]*/.exec(text.slice(line))?.[0] ?? '';
  const sign = isLiteral ? '--' : '#';
  return {
    span: span(line, line),
    text: `${indent}${sign} headwater-ignore ${finding.code}${endOfLineOf(text)}`,
  };
}
