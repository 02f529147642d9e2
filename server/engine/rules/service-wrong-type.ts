/**
 * A value of the wrong kind
 *
 * Bad:
 *
 * ```yaml
 * api:
 *   tokens: !env PS_ADMIN_TOKEN
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

export const serviceWrongType: Rule = { code: 'service-wrong-type' };
