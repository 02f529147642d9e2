/**
 * A value that every client can choose
 *
 * Parameters of the connection and of a subscription come from the client, which can send any value. If nothing else
 * decides who gets these rows, everyone can read all of them. Values of `auth` come from the signed token. If the
 * rows may be read by everyone, say so with `accept_potentially_dangerous_queries: true`.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM tasks WHERE list_id = subscription.parameter('list')
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM tasks WHERE list_id = subscription.parameter('list')
 *   AND list_id IN (SELECT list_id FROM members WHERE user_id = auth.user_id())
 * ```
 */
import type { Rule } from './rule.ts';

export const unauthenticatedParameter: Rule = { code: 'unauthenticated-parameter' };
