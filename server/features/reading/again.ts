/** The analysis of a file after edits. */
import { type Analysis, analyze } from '../../engine/index.ts';
import { applyEdits, type Edit } from '../../engine/text/edit.ts';

/** Analyses the file after the edits, with the same schema and surroundings. */
export function analyzeAgain(analysis: Analysis, edits: readonly Edit[]): Analysis {
  const { catalog, defaultSchema } = analysis.config?.surroundings ?? {};
  const text = applyEdits(analysis.text, edits);
  return analyze(text, { kind: analysis.kind, catalog, defaultSchema, previous: analysis });
}
