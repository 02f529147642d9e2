/**
 * A function that the SQLite engine does not have
 *
 * `base64`, `json_keys` and `uuid_blob` are functions of the built-in engine only. With
 * `unstable_sqlite_expression_engine` a service accepts the config, and then cannot load it.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 *   unstable_sqlite_expression_engine: true
 * streams:
 *   files:
 *     query: SELECT id, base64(content) AS content FROM files
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   files:
 *     query: SELECT id, base64(content) AS content FROM files
 * ```
 */
import type { Rule } from './rule.ts';

export const functionNotEvaluable: Rule = { code: 'function-not-evaluable' };
