/**
 * No key to check tokens with
 *
 * Clients sign in with a token. Without a key to check it, every token is rejected.
 *
 * Bad:
 *
 * ```yaml
 * client_auth:
 *   audience: [my-app]
 * ```
 *
 * Good:
 *
 * ```yaml
 * client_auth:
 *   audience: [my-app]
 *   jwks_uri: https://auth.example.com/jwks.json
 * ```
 */
import type { Rule } from './rule.ts';

export const serviceNoClientKeys: Rule = { code: 'service-no-client-keys' };
