/**
 * The SQLite engine without the JSON fix
 *
 * SQLite reads JSON paths in one way only, which is the one of `fixed_json_extract`.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 *   unstable_sqlite_expression_engine: true
 *   fixed_json_extract: false
 * streams: {}
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 *   unstable_sqlite_expression_engine: true
 * streams: {}
 * ```
 */
import type { Rule } from './rule.ts';

export const sqliteEngineNeedsJsonFix: Rule = { code: 'sqlite-engine-needs-json-fix' };
