/**
 * A key of older releases
 *
 * Services ignore it.
 *
 * Bad:
 *
 * ```yaml
 * client_auth:
 *   allow_local_jwks: true
 *   audience: [my-app]
 *   jwks_uri: http://localhost:4000/jwks
 * ```
 *
 * Good:
 *
 * ```yaml
 * client_auth:
 *   audience: [my-app]
 *   jwks_uri: http://localhost:4000/jwks
 * ```
 */
import type { Rule } from './rule.ts';

export const serviceIgnoredKey: Rule = { code: 'service-ignored-key' };
