/** What a list of completions depends on besides the config. */
import type { Analysis } from '../../engine/index.ts';
import type { Catalog } from '../../engine/model/catalog.ts';

export interface CompletionWorld {
  /** What `!env` may name. */
  readonly environmentNames: () => readonly string[];
  /** The other open configs: they may name parameters that this one needs, too. */
  readonly others: () => readonly Analysis[];
  /** Tables that are known, also where those that the config reads so far are others. */
  readonly catalog?: (() => Catalog | undefined) | undefined;
  /** How the list was asked for, if not by hand: only what must follow is worth a list then. */
  readonly typed?: string | undefined;
}
