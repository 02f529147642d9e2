/** What would be, if edits were made. */
import { applyEdits, type Edit } from '../../engine/edit.ts';
import { type Analysis, analyze } from '../../engine/index.ts';

/** The file after the edits, with the same knowledge of the world. */
export function analyzeAgain(analysis: Analysis, edits: readonly Edit[]): Analysis {
  const { catalog, defaultSchema } = analysis.config?.surroundings ?? {};
  const text = applyEdits(analysis.text, edits);
  return analyze(text, { kind: analysis.kind, catalog, defaultSchema, previous: analysis });
}
