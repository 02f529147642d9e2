/**
 * A constant that cannot be computed
 *
 * Before edition 3, parts of a query that hold constants only are computed when the config is read. If that fails,
 * a service refuses the config.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   shared:
 *     data:
 *       - SELECT id, json_extract('units', '$.units') AS units FROM tasks
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   shared:
 *     data:
 *       - SELECT id, json_extract('{}', '$.units') AS units FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const constantFails: Rule = { code: 'constant-fails' };
