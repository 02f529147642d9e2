/**
 * Several statements in one text
 *
 * Each text under `data`, `parameters`, `payloads` or `query` is one statement.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   all:
 *     data:
 *       - SELECT * FROM tasks; SELECT * FROM lists
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   all:
 *     data:
 *       - SELECT * FROM tasks
 *       - SELECT * FROM lists
 * ```
 */
import type { Rule } from './rule.ts';

export const multipleStatements: Rule = { code: 'multiple-statements' };
