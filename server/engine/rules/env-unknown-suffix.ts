/**
 * An unknown type of a variable
 *
 * The value of a variable is text. `::number` and `::boolean` turn it into a number or a boolean.
 *
 * Bad:
 *
 * ```yaml
 * api:
 *   parameters:
 *     max_concurrent_connections: !env PS_MAX_CONNECTIONS::int
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

export const envUnknownSuffix: Rule = { code: 'env-unknown-suffix' };
