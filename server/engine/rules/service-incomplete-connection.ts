/**
 * A connection with something missing
 *
 * Host, database, user and password are all needed, in `uri` or as keys of their own.
 *
 * Bad:
 *
 * ```yaml
 * storage:
 *   type: postgresql
 *   hostname: db.example.com
 *   database: app
 * ```
 *
 * Good:
 *
 * ```yaml
 * storage:
 *   type: postgresql
 *   hostname: db.example.com
 *   database: app
 *   username: !env PS_STORAGE_USER
 *   password: !env PS_STORAGE_PASSWORD
 * ```
 */
import type { Rule } from './rule.ts';

export const serviceIncompleteConnection: Rule = { code: 'service-incomplete-connection' };
