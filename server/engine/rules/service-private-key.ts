/**
 * The private half of a key
 *
 * A service only checks tokens, for which the public half is enough. Whoever has the private half can sign in as
 * anyone, so replace a key that has been in a file.
 *
 * Bad:
 *
 * ```yaml
 * client_auth:
 *   audience: [my-app]
 *   jwks:
 *     keys:
 *       - kty: EC
 *         crv: P-256
 *         alg: ES256
 *         x: f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU
 *         y: x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0
 *         d: jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI
 * ```
 *
 * Good:
 *
 * ```yaml
 * client_auth:
 *   audience: [my-app]
 *   jwks:
 *     keys:
 *       - kty: EC
 *         crv: P-256
 *         alg: ES256
 *         x: f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU
 *         y: x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0
 * ```
 */
import type { Rule } from './rule.ts';

export const servicePrivateKey: Rule = { code: 'service-private-key' };
