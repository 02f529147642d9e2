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
  /** An order in a few words. */
  readonly title: string;
  readonly kind: ActionKind;
  /** The edits in the file. */
  readonly edits: readonly Edit[];
  /** A file that is written beside it, by its path from the folder of this one. */
  readonly creates?: { readonly path: string; readonly text: string };
  /** The finding that it repairs. */
  readonly repairs?: { readonly code: Code; readonly span: Span };
  readonly isPreferred?: true;
  /** A sentence that says why it cannot be done; then there are no edits. */
  readonly refusal?: string;
}
