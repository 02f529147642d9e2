/**
 * A symmetric key that is not base64url
 *
 * The service decodes `k`. With a plain-text secret there it computes another key than whoever signs the tokens.
 *
 * Bad:
 *
 * ```yaml
 * client_auth:
 *   audience: [my-app]
 *   jwks:
 *     keys:
 *       - kty: oct
 *         alg: HS256
 *         k: "correct horse!"
 * ```
 *
 * Good:
 *
 * ```yaml
 * client_auth:
 *   audience: [my-app]
 *   jwks:
 *     keys:
 *       - kty: oct
 *         alg: HS256
 *         k: !env PS_JWT_SECRET_BASE64URL
 * ```
 */
import type { Rule } from './rule.ts';

export const serviceSecretNotBase64url: Rule = { code: 'service-secret-not-base64url' };
