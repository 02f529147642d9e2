/**
 * A minus before an expression
 *
 * Only numbers may have a minus before them.
 *
 * Bad:
 *
 * ```sql
 * SELECT id, -amount AS amount FROM bookings
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT id, 0 - amount AS amount FROM bookings
 * ```
 */
import type { Rule } from './rule.ts';

export const unaryMinus: Rule = { code: 'unary-minus' };
