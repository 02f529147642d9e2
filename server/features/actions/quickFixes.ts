/** Fixes of findings. Each fix is tried first: its finding must disappear, and no new findings may appear. */
import { type Code, type Finding, severityOf } from '../../engine/diagnostics/diagnostics.ts';
import { oncePer } from '../../engine/ground/oncePer.ts';
import type { Analysis } from '../../engine/index.ts';
import { areDisjoint, type Edit } from '../../engine/text/edit.ts';
import { analyzeAgain } from '../reading/again.ts';
import type { Fix, FixOf } from './fix.ts';
import { fixes } from './fixes/index.ts';
import { keepsPlans } from './sameAccess.ts';
import { subjectOf } from './subject.ts';

export function fixesOf(analysis: Analysis, finding: Finding): readonly Fix[] {
  return proposalsFor(analysis, finding).flatMap((fix) => {
    const after = analyzeAgain(analysis, fix.edits);
    if (!mends(analysis, after, new Map([[finding.code, 1]]))) return [];
    return [fix.isSure && !keepsPlans(analysis, after) ? { title: fix.title, edits: fix.edits } : fix];
  });
}

function proposalsFor(analysis: Analysis, finding: Finding): readonly Fix[] {
  const fix = fixes[finding.code] as FixOf | undefined;
  const subject = fix && subjectOf(analysis, finding);
  const proposals = fix && subject ? fix(subject as Parameters<FixOf>[0]) : [];
  return proposals.filter(({ edits }) => edits.length > 0 && areDisjoint(edits));
}

/** Codes for text that could not be read, so that errors in it may appear only after the fix. */
const hiding: ReadonlySet<Code> = new Set<Code>([
  'sql-syntax',
  'yaml-syntax',
  'yaml-duplicate-key',
  'yaml-multiple-documents',
  'multiple-statements',
]);

/** Codes of tables that do not exist. No user gets their rows, so findings about access appear only after the fix. */
const unreadable: ReadonlySet<Code> = new Set<Code>(['unknown-table', 'unknown-schema']);

/** Whether the number of findings falls by the number of repaired ones, and no finding is new. */
function mends(before: Analysis, after: Analysis, repaired: Counts): boolean {
  const [known, left] = [countsOf(before), countsOf(after)];
  const countIn = (counts: Counts, code: Code): number => counts.get(code) ?? 0;
  return (
    [...repaired].every(([code, count]) => countIn(left, code) <= countIn(known, code) - count) &&
    !addsFindings(known, left, [...repaired.keys()])
  );
}

/**
 * Whether there are new findings. Findings that the repaired error could hide do not count. An error hides hints and warnings,
 * because they require a plan. An error that prevents reading hides all findings, except for others of its kind.
 */
function addsFindings(known: Counts, left: Counts, repaired: readonly Code[]): boolean {
  const canHide = repaired.some((code) => hiding.has(code));
  const isError = repaired.some((code) => severityOf(code) === 'error');
  const counts = (code: Code): boolean => {
    if (canHide) return hiding.has(code);
    if (code === 'reads-rows-of-others' && repaired.some((one) => unreadable.has(one))) return false;
    return severityOf(code) === 'error' || (severityOf(code) === 'warning' && !isError);
  };
  return [...left].some(([code, count]) => counts(code) && count > (known.get(code) ?? 0));
}

type Counts = ReadonlyMap<Code, number>;

/** Counts the findings of an analysis, only once even if many fixes are tried. */
const countsOf = oncePer(({ findings }: Analysis): Counts => tally(findings.map(({ code }) => code)));

function tally(codes: readonly Code[]): Counts {
  const counts = new Map<Code, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}

/** Returns the sure fixes of all wanted findings, if they can be made together and change no user's rows. */
export function fixAll(analysis: Analysis, isWanted: (code: Code) => boolean): readonly Edit[] {
  const chosen: Repair[] = [];
  let end = 0;
  for (const finding of analysis.findings) {
    if (!isWanted(finding.code)) continue;
    const [fix, ...others] = proposalsFor(analysis, finding);
    if (!fix?.isSure || others.some(({ isSure }) => isSure)) continue;
    const same = chosen.find(({ edits }) => isEqual(edits, fix.edits));
    if (same) same.codes.push(finding.code);
    if (same || fix.edits.some(({ span }) => span.start < end)) continue;
    chosen.push({ codes: [finding.code], edits: fix.edits });
    end = fix.edits.reduce((last, { span }) => Math.max(last, span.end), end);
  }
  return soundOnes(analysis, chosen).flatMap(({ edits }) => edits);
}

interface Repair {
  /** The codes of the findings that are repaired by the same edits. */
  readonly codes: Code[];
  readonly edits: readonly Edit[];
}

function isEqual(one: readonly Edit[], other: readonly Edit[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Returns the repairs that are sound. All repairs are tried together. If that fails, each half is tried on its own, so a single
 * failing repair costs only a few tries.
 */
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
    repairs.flatMap((repair) => repair.edits),
  );
  return keepsPlans(analysis, after) && mends(analysis, after, tally(repairs.flatMap(({ codes }) => codes)));
}
