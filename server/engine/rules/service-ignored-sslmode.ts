/**
 * sslmode inside a URI
 *
 * Services read it from the key beside `uri` only. Without that key it is `verify-full`, so a local database without TLS
 * cannot be reached.
 *
 * Bad:
 *
 * ```yaml
 * storage:
 *   type: postgresql
 *   uri: postgresql://localhost:5432/app?sslmode=disable
 *   username: !env PS_STORAGE_USER
 *   password: !env PS_STORAGE_PASSWORD
 * ```
 *
 * Good:
 *
 * ```yaml
 * storage:
 *   type: postgresql
 *   uri: postgresql://localhost:5432/app
 *   username: !env PS_STORAGE_USER
 *   password: !env PS_STORAGE_PASSWORD
 *   sslmode: disable
 * ```
 */
import type { Rule } from './rule.ts';

export const serviceIgnoredSslmode: Rule = { code: 'service-ignored-sslmode' };
