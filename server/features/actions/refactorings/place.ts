/** The place of a refactoring, and the checks that the meaning of the config stays the same. */
import { severityOf } from '../../../engine/diagnostics/diagnostics.ts';
import type { Analysis, PlacedDefinition } from '../../../engine/index.ts';
import { dumpPlan } from '../../../engine/plan/dump.ts';
import { atomsOf } from '../../../engine/sql/layout/atoms.ts';
import { areDisjoint, type Edit } from '../../../engine/text/edit.ts';
import { type Span, shift, span } from '../../../engine/text/span.ts';
import { offsetInValue } from '../../../engine/yaml/sourceMap.ts';
import { analyzeAgain } from '../../reading/again.ts';
import { ownerOf, type WritableSql, writableTexts } from '../../reading/queries.ts';
import type { Action } from '../action.ts';

/** The user's selection, which is often only the cursor. */
export interface ActionPlace {
  readonly analysis: Analysis;
  /** The span of the selection in the file. */
  readonly selection: Span;
}

export interface SqlSelection extends WritableSql {
  /** The span of the selection in the SQL. */
  readonly at: Span;
  readonly owner?: PlacedDefinition;
}

export type Refactoring = (place: ActionPlace) => readonly Action[];

export function sqlSelection({ analysis, selection }: ActionPlace): SqlSelection | undefined {
  const found = writableTexts(analysis).find(({ part, text }) => {
    const { start, end } = shift(text.span, part.base);
    return start <= selection.start && selection.end <= end;
  });
  if (!found) return undefined;
  const { part, scalar } = found;
  const offset = (at: number) => offsetInValue(part.reading.text, scalar, at - part.base);
  const owner = ownerOf(analysis, found);
  return {
    ...found,
    at: span(offset(selection.start), offset(selection.end)),
    ...(owner && { owner }),
  };
}

/** Whether a query can be rewritten. A query with comments cannot, because the comments would be lost. */
export function isWritable({ text: { sql } }: WritableSql): boolean {
  return (
    sql.problems.length === 0 && atomsOf(sql.text).every(({ kind }) => kind === 'word' || kind === 'other')
  );
}

/** Whether every plan stays the same and there are no new findings. */
export function keepsMeaning(analysis: Analysis, edits: readonly Edit[]): boolean {
  if (edits.length === 0 || !areDisjoint(edits)) return false;
  const after = analyzeAgain(analysis, edits);
  return havePlansOf(analysis, after) && !findsMore(analysis, after);
}

/** Whether there are no new errors or warnings. Plans may differ. */
export function staysSound(analysis: Analysis, edits: readonly Edit[]): boolean {
  if (edits.length === 0 || !areDisjoint(edits)) return false;
  return !findsMore(analysis, analyzeAgain(analysis, edits));
}

function findsMore(before: Analysis, after: Analysis): boolean {
  const countFindings = ({ findings }: Analysis) => {
    const counts = new Map<string, number>();
    for (const { code } of findings)
      if (severityOf(code) !== 'hint') counts.set(code, (counts.get(code) ?? 0) + 1);
    return counts;
  };
  const known = countFindings(before);
  return [...countFindings(after)].some(([code, count]) => count > (known.get(code) ?? 0));
}

function havePlansOf(before: Analysis, after: Analysis): boolean {
  const [old, now] = [before.config?.definitions ?? [], after.config?.definitions ?? []];
  return (
    old.length === now.length &&
    old.every((one, index) => {
      const other = now[index];
      return other !== undefined && (isUnchanged(one, other) || planText(one) === planText(other));
    })
  );
}

/** Whether the definition was reused from the earlier analysis. */
function isUnchanged(one: PlacedDefinition, { definition }: PlacedDefinition): boolean {
  return one.definition === definition;
}

export function plansText({ config }: Analysis): string {
  return (config?.definitions ?? []).map(planText).join('\n\n');
}

function planText({ definition, plan }: PlacedDefinition): string {
  return `${definition.name}: ${plan ? dumpPlan(plan) : 'none'}`;
}
