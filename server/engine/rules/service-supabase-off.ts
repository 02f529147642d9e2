/**
 * A Supabase secret without Supabase
 *
 * `supabase_jwt_secret` is read only if `supabase: true` stands beside it. Without that, tokens of Supabase are rejected.
 *
 * Bad:
 *
 * ```yaml
 * client_auth:
 *   audience: [authenticated]
 *   supabase_jwt_secret: !env PS_JWT_SECRET
 * ```
 *
 * Good:
 *
 * ```yaml
 * client_auth:
 *   supabase: true
 *   supabase_jwt_secret: !env PS_JWT_SECRET
 * ```
 */
import type { Rule } from './rule.ts';

export const serviceSupabaseOff: Rule = { code: 'service-supabase-off' };
