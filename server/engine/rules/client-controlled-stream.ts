/**
 * A stream that only the client decides about
 *
 * Nothing but parameters of the connection or the subscription decides who gets these rows, and a client may send
 * what it likes. Add a condition on `auth`.
 */
import type { Rule } from './rule.ts';

export const clientControlledStream: Rule = { code: 'client-controlled-stream' };
