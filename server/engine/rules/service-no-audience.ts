/**
 * No audience
 *
 * A token says for whom it was made, and a service accepts only those that it is told to. Without a list, none.
 *
 * Bad:
 *
 * ```yaml
 * client_auth:
 *   jwks_uri: https://auth.example.com/jwks.json
 * ```
 *
 * Good:
 *
 * ```yaml
 * client_auth:
 *   jwks_uri: https://auth.example.com/jwks.json
 *   audience: [my-app]
 * ```
 */
import type { Rule } from './rule.ts';

export const serviceNoAudience: Rule = { code: 'service-no-audience' };
