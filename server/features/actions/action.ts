/** A code action, independent of the language protocol. */
import type { Code } from '../../engine/diagnostics/diagnostics.ts';
import type { Edit } from '../../engine/text/edit.ts';
import type { Span } from '../../engine/text/span.ts';

export type ActionKind =
  | 'quickfix'
  | 'refactor.extract'
  | 'refactor.inline'
  | 'refactor.rewrite'
  | 'source.fixAll.headwater'
  | 'source.formatQueries.headwater';

export interface Action {
  /** The title: a short imperative. */
  readonly title: string;
  readonly kind: ActionKind;
  /** The edits in the file. */
  readonly edits: readonly Edit[];
  /** A new file, with its path relative to the folder of this file. */
  readonly creates?: { readonly path: string; readonly text: string };
  /** The finding that the action repairs. */
  readonly repairs?: { readonly code: Code; readonly span: Span };
  readonly isPreferred?: true;
  /** Why the action is not possible. An action with a refusal has no edits. */
  readonly refusal?: string;
}
