/**
 * A variable of the wrong type
 *
 * The value of a variable is text, unless `::number` or `::boolean` stands behind its name. The text `false` is no
 * boolean. Only ports may be text.
 *
 * Bad:
 *
 * ```yaml
 * api:
 *   parameters:
 *     max_concurrent_connections: !env PS_MAX_CONNECTIONS
 * ```
 *
 * Good:
 *
 * ```yaml
 * api:
 *   parameters:
 *     max_concurrent_connections: !env PS_MAX_CONNECTIONS::number
 * ```
 */
import type { Rule } from './rule.ts';

export const envWrongType: Rule = { code: 'env-wrong-type' };
