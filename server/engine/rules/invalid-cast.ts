/**
 * A cast to an unknown type
 *
 * Values are those of SQLite: text, integer, real, numeric (integer or real) and blob.
 *
 * Bad:
 *
 * ```sql
 * SELECT id, CAST(amount AS int) AS amount FROM bookings
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT id, CAST(amount AS integer) AS amount FROM bookings
 * ```
 */
import type { Rule } from './rule.ts';

export const invalidCast: Rule = { code: 'invalid-cast' };
