/** Applies all certain repairs of a file at once, for callers without an editor. */
import type { Analysis } from '../../engine/index.ts';
import type { Edit } from '../../engine/text/edit.ts';
import { innerTextOf } from '../reading/innerEdits.ts';
import { fixAll } from './quickFixes.ts';

/** Returns the edits, including those in the sync config that a service config contains. */
export function sureFixes(analysis: Analysis): readonly Edit[] {
  if (analysis.kind === 'foreign') return [];
  const own = fixAll(analysis, () => true);
  if (own.length > 0) return own;
  const inner = innerTextOf(analysis);
  return inner?.edits(fixAll(inner.analysis, () => true)) ?? [];
}
