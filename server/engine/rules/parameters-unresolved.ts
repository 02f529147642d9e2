/**
 * An empty list of parameter queries
 *
 * Without the key `parameters` a definition is one bucket for everyone. An empty list is something else: a
 * definition that no request ever reaches.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   all:
 *     parameters: []
 *     data:
 *       - SELECT * FROM tasks
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   all:
 *     data:
 *       - SELECT * FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const parametersUnresolved: Rule = { code: 'parameters-unresolved' };
