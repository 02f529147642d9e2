/**
 * Nothing is defined
 *
 * A config without `streams` and without `bucket_definitions` syncs nothing, and a service refuses it.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 2
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   tasks:
 *     query: SELECT * FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const missingDefinitions: Rule = { code: 'missing-definitions' };
