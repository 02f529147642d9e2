/**
 * A key that is not known
 *
 * A service refuses keys that it does not know, because a mistyped key would silently do nothing.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   tasks:
 *     auto_subscribed: true
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

export const unknownKey: Rule = { code: 'unknown-key' };
