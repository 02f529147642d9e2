import type { Analysis, PreparedTests } from '../../engine/index.ts';

/** A file of access tests as an editor has it, with what it tests. */
export interface TestsInEditor {
  readonly analysis: Analysis;
  readonly prepared: PreparedTests;
  /** The analysis of the config under test. */
  readonly config?: Analysis | undefined;
}
