/**
 * An address of the wrong form
 *
 * The address is of another kind of database than `type` says, or cannot be read as an address at all. Signs such as
 * `@`, `:` and `/` in a password must be written as `%40`, `%3A` and `%2F`; keys of their own need no such care.
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
