/**
 * A table that the source does not have
 *
 * The stream stays empty until there is such a table.
 *
 * With this source:
 *
 * ```sql
 * create table tasks (id text)
 * ```
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tsks
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const unknownTable: Rule = { code: 'unknown-table' };
