/** Applies actions to drawn configs. */

import { type AnalyzeInput, analyze } from '../../../server/engine/index.ts';
import { applyEdits } from '../../../server/engine/text/edit.ts';
import type { Action } from '../../../server/features/actions/action.ts';
import { actions } from '../../../server/features/actions/actions.ts';
import type { FilesBeside } from '../../../server/features/actions/refactorings/syncFile.ts';
import { readFixture } from '../../support/engine/fixture.ts';

const noFiles: FilesBeside = { exists: () => false, text: () => undefined };

export interface OfferedAction {
  readonly text: string;
  readonly all: readonly Action[];
}

/** Returns the actions that are offered at the cursor of the first file, or between its two cursors. */
export function offered(drawing: string, input: AnalyzeInput = {}, files = noFiles): OfferedAction {
  const { files: drawn, catalog } = readFixture(drawing);
  const [{ text = '', cursors = [] } = {}] = drawn;
  const [start = 0, end = start] = cursors;
  const analysis = analyze(text, { catalog, ...input });
  return {
    text,
    all: actions(analysis, { selection: { start, end }, wants: () => true, files, askedBy: 'user' }),
  };
}

/** Returns the text after the action with this title, or a list of all titles if no action has it. */
export function acted(drawing: string, title: string, input?: AnalyzeInput, files?: FilesBeside): string {
  const { text, all } = offered(drawing, input, files);
  const action = all.find((one) => one.title === title);
  return action ? applyEdits(text, action.edits) : `Only: ${all.map((one) => one.title).join(' · ')}`;
}

export function titles(drawing: string, input?: AnalyzeInput): readonly string[] {
  return offered(drawing, input).all.map(({ title }) => title);
}
