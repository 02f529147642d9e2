/**
 * A value of the wrong kind
 *
 * A service checks the types of its config when it starts, and does not start. Quotes make text of a number and of true
 * or false; a value from the environment is text unless it says otherwise, as in `!env PS_PORT::number`.
 *
 * Bad:
 *
 * ```yaml
 * api:
 *   parameters:
 *     max_concurrent_connections: "200"
 * ```
 *
 * Good:
 *
 * ```yaml
 * api:
 *   parameters:
 *     max_concurrent_connections: 200
 * ```
 */
import type { Rule } from './rule.ts';

export const serviceWrongType: Rule = { code: 'service-wrong-type' };
