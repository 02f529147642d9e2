/**
 * True or false is needed
 *
 * In YAML 1.2 only `true` and `false` are booleans; `yes`, `no`, `on`, `off` and anything in quotes are text.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   tasks:
 *     auto_subscribe: yes
 *     query: SELECT * FROM tasks
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   tasks:
 *     auto_subscribe: true
 *     query: SELECT * FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const expectedBoolean: Rule = { code: 'expected-boolean' };
