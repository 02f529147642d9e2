/** Repairs of a finding for a program, which has no cursor. Each repair contains its edits. */
import type { Finding } from '../../engine/diagnostics/diagnostics.ts';
import type { Analysis } from '../../engine/index.ts';
import type { Edit } from '../../engine/text/edit.ts';
import { fixesOf } from '../actions/quickFixes.ts';

interface Repair {
  /** The title: a short imperative. */
  readonly title: string;
  readonly edits: readonly Edit[];
  /** Whether no other repair is possible. */
  readonly isSure: boolean;
}

export function repairsOf(analysis: Analysis, finding: Finding): readonly Repair[] {
  return fixesOf(analysis, finding).map(({ title, edits, isSure }) => ({
    title,
    edits,
    isSure: isSure === true,
  }));
}
