/**
 * A form on which the service stumbles
 *
 * The service reports an internal error here, so the config cannot be deployed. The message says how else to write it.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     parameters: SELECT request.parameter('a' || 'b') AS ab
 *     data:
 *       - SELECT * FROM tasks WHERE owner_id = bucket.ab
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   mine:
 *     accept_potentially_dangerous_queries: true
 *     parameters: SELECT request.parameter('ab') AS ab
 *     data:
 *       - SELECT * FROM tasks WHERE owner_id = bucket.ab
 * ```
 */
import type { Rule } from './rule.ts';

export const internalError: Rule = { code: 'internal-error' };
