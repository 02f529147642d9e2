/**
 * The SQLite engine before edition 3
 *
 * With `unstable_sqlite_expression_engine` expressions run in a real SQLite. Only plans of edition 3 can do that.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 2
 *   unstable_sqlite_expression_engine: true
 * bucket_definitions: {}
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

export const sqliteEngineNeedsEdition3: Rule = { code: 'sqlite-engine-needs-edition-3' };
