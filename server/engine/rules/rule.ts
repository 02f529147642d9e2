import type { Code } from '../diagnostics.ts';

/**
 * A code and its explanation. The heading comment of the rule's file is its page in `docs/RULES.md`: a title, why it
 * matters, a bad example and a good one. An example marked `sql` is the only query of a stream of edition 3.
 */
export interface Rule {
  readonly code: Code;
}
