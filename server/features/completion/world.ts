/** The context of a completion besides the config itself. */
import type { Analysis } from '../../engine/index.ts';
import type { Catalog } from '../../engine/model/catalog.ts';

export interface CompletionWorld {
  /** Returns the variables that `!env` may use. */
  readonly environmentNames: () => readonly string[];
  /** Returns the other open configs, which may contain names of parameters that this config also needs. */
  readonly others: () => readonly Analysis[];
  /** Returns the known tables, even if the config reads none of them so far. */
  readonly catalog?: (() => Catalog | undefined) | undefined;
  /**
   * The typed character that requested the list; absent: the user requested it. After a character, a list is shown only if its text
   * must follow.
   */
  readonly typed?: string | undefined;
}
