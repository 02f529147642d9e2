/**
 * A default stream that reads subscription parameters
 *
 * With `auto_subscribe` clients get the stream without asking for it, so there are no subscription parameters: their
 * values are NULL, and the stream stays empty.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   list:
 *     auto_subscribe: true
 *     accept_potentially_dangerous_queries: true
 *     query: SELECT * FROM tasks WHERE list_id = subscription.parameter('list')
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   list:
 *     accept_potentially_dangerous_queries: true
 *     query: SELECT * FROM tasks WHERE list_id = subscription.parameter('list')
 * ```
 */
import type { Rule } from './rule.ts';

export const defaultStreamWithSubscriptionParameter: Rule = {
  code: 'default-stream-with-subscription-parameter',
};
