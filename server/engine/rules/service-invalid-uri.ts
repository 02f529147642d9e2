/**
 * An address of the wrong form
 *
 * Bad:
 *
 * ```yaml
 * storage:
 *   type: postgresql
 *   uri: mysql://db.example.com:5432/app
 * ```
 *
 * Good:
 *
 * ```yaml
 * storage:
 *   type: postgresql
 *   uri: postgresql://db.example.com:5432/app
 *   username: !env PS_STORAGE_USER
 *   password: !env PS_STORAGE_PASSWORD
 * ```
 */
import type { Rule } from './rule.ts';

export const serviceInvalidUri: Rule = { code: 'service-invalid-uri' };
