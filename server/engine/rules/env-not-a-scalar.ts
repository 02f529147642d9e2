/**
 * !env without the name of a variable
 *
 * `!env` stands before one name, and replaces the whole value. There is no way to put a variable inside of a text.
 *
 * Bad:
 *
 * ```yaml
 * api:
 *   tokens: !env [PS_ADMIN_TOKEN]
 * ```
 *
 * Good:
 *
 * ```yaml
 * api:
 *   tokens:
 *     - !env PS_ADMIN_TOKEN
 * ```
 */
import type { Rule } from './rule.ts';

export const envNotAScalar: Rule = { code: 'env-not-a-scalar' };
