/** Fixes of findings. Each was tried: without its finding, and with no error that was not there before. */
import { type Code, type Finding, severityOf } from '../../engine/diagnostics/diagnostics.ts';
import { groupBy } from '../../engine/ground/group.ts';
import type { Analysis } from '../../engine/index.ts';
import { areDisjoint, type Edit } from '../../engine/text/edit.ts';
import { analyzeAgain } from './again.ts';
import type { Fix, FixOf } from './fix.ts';
import { fixes } from './fixes/index.ts';
import { subjectOf } from './subject.ts';

export function fixesOf(analysis: Analysis, finding: Finding): readonly Fix[] {
  return proposalsFor(analysis, finding).filter(({ edits }) => repairs(analysis, finding.code, edits));
}

function proposalsFor(analysis: Analysis, finding: Finding): readonly Fix[] {
  const fix = fixes[finding.code] as FixOf | undefined;
  const subject = fix && subjectOf(analysis, finding);
  const proposals = fix && subject ? fix(subject as Parameters<FixOf>[0]) : [];
  return proposals.filter(({ edits }) => edits.length > 0 && areDisjoint(edits));
}

/** A text that could not be read before may have errors that nobody could see. */
const hiding: ReadonlySet<Code> = new Set<Code>([
  'sql-syntax',
  'yaml-syntax',
  'yaml-duplicate-key',
  'yaml-multiple-documents',
  'multiple-statements',
]);

function repairs(analysis: Analysis, code: Code, edits: readonly Edit[]): boolean {
  const after = analyzeAgain(analysis, edits);
  if (countOf(after, code) >= countOf(analysis, code)) return false;
  return hiding.has(code) || errorsOf(after) <= errorsOf(analysis);
}

function errorsOf({ findings }: Analysis): number {
  return findings.filter(({ code }) => severityOf(code) === 'error').length;
}

/** The sure fixes of all findings of some kind, as far as they can be made together. */
export function fixAll(analysis: Analysis, isWanted: (code: Code) => boolean): readonly Edit[] {
  const chosen: Repair[] = [];
  let end = 0;
  for (const finding of analysis.findings) {
    if (!isWanted(finding.code)) continue;
    const [fix, ...others] = proposalsFor(analysis, finding);
    if (!fix?.isSure || others.some(({ isSure }) => isSure)) continue;
    if (fix.edits.some(({ span }) => span.start < end)) continue;
    chosen.push({ code: finding.code, edits: fix.edits });
    end = Math.max(...fix.edits.map(({ span }) => span.end));
  }
  return soundOnes(analysis, chosen).flatMap(({ edits }) => edits);
}

interface Repair {
  readonly code: Code;
  readonly edits: readonly Edit[];
}

/** Tried together; where that fails, each half for itself, so that one that fails costs no more than a few tries. */
function soundOnes(analysis: Analysis, repairs: readonly Repair[]): readonly Repair[] {
  if (repairs.length === 0 || areSound(analysis, repairs)) return repairs;
  if (repairs.length === 1) return [];
  const middle = repairs.length >> 1;
  const halves = [repairs.slice(0, middle), repairs.slice(middle)].flatMap((half) =>
    soundOnes(analysis, half),
  );
  return areSound(analysis, halves) ? halves : halves.slice(0, 1);
}

function areSound(analysis: Analysis, repairs: readonly Repair[]): boolean {
  const after = analyzeAgain(
    analysis,
    repairs.flatMap(({ edits }) => edits),
  );
  const isHiding = repairs.some(({ code }) => hiding.has(code));
  if (!isHiding && errorsOf(after) > errorsOf(analysis)) return false;
  const wanted = groupBy(repairs, ({ code }) => code);
  return [...wanted].every(([code, those]) => countOf(after, code) <= countOf(analysis, code) - those.length);
}

function countOf({ findings }: Analysis, code: Code): number {
  return findings.filter((finding) => finding.code === code).length;
}
