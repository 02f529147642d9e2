/** Repairs of a finding for a program, which has no cursor: each with its edits. */
import type { Finding } from '../../engine/diagnostics/diagnostics.ts';
import type { Analysis } from '../../engine/index.ts';
import type { Edit } from '../../engine/text/edit.ts';
import { fixesOf } from '../actions/quickFixes.ts';

interface Repair {
  /** An order in a few words. */
  readonly title: string;
  readonly edits: readonly Edit[];
  /** There is nothing else that could be meant. */
  readonly isSure: boolean;
}

export function repairsOf(analysis: Analysis, finding: Finding): readonly Repair[] {
  return fixesOf(analysis, finding).map(({ title, edits, isSure }) => ({
    title,
    edits,
    isSure: isSure === true,
  }));
}
