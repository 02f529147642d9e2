/**
 * An operator that a service cannot evaluate
 *
 * It accepts the config, and then fails on every row. Only the SQLite engine
 * (`unstable_sqlite_expression_engine: true`) has this operator.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE number % 2 = 0
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 *   unstable_sqlite_expression_engine: true
 * streams:
 *   even:
 *     query: SELECT * FROM tasks WHERE number % 2 = 0
 * ```
 */
import type { Rule } from './rule.ts';

export const operatorNotEvaluable: Rule = { code: 'operator-not-evaluable' };
