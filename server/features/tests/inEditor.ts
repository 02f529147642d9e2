import type { Analysis, PreparedTests } from '../../engine/index.ts';

/** An access test file as it is in the editor, with its config. */
export interface TestsInEditor {
  readonly analysis: Analysis;
  readonly prepared: PreparedTests;
  /** The analysis of the config under test. */
  readonly config?: Analysis | undefined;
}
