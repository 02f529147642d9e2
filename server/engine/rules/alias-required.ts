/**
 * A column that needs a name
 *
 * Before edition 3 each column that is not a plain reference needs a name.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   all:
 *     data:
 *       - SELECT id, upper(title) FROM tasks
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   all:
 *     data:
 *       - SELECT id, upper(title) AS title FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const aliasRequired: Rule = { code: 'alias-required' };
