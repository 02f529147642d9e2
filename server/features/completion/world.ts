/** The surroundings that a list of completions depends on, in addition to the config. */
import type { Analysis } from '../../engine/index.ts';
import type { Catalog } from '../../engine/model/catalog.ts';

export interface CompletionWorld {
  /** Returns the names that `!env` may use. */
  readonly environmentNames: () => readonly string[];
  /** Returns the other open configs, which may name parameters that this one also needs. */
  readonly others: () => readonly Analysis[];
  /** Returns the known tables, even if the config reads only others so far. */
  readonly catalog?: (() => Catalog | undefined) | undefined;
  /**
   * The typed character that asked for the list; absent: the user asked for it. After a character, only text that must follow
   * is worth a list.
   */
  readonly typed?: string | undefined;
}
