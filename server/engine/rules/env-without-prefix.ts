/**
 * A variable that services do not read
 *
 * A config cannot read just any variable of the process, only those that are meant for it: their names start with `PS_`.
 *
 * Bad:
 *
 * ```yaml
 * storage:
 *   type: postgresql
 *   uri: !env DATABASE_URL
 * ```
 *
 * Good:
 *
 * ```yaml
 * storage:
 *   type: postgresql
 *   uri: !env PS_DATABASE_URL
 * ```
 */
import type { Rule } from './rule.ts';

export const envWithoutPrefix: Rule = { code: 'env-without-prefix' };
