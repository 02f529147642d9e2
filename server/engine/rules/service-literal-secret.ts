/**
 * A secret in the file
 *
 * Whoever can read the file, or its history, has the secret. Put it into an environment variable.
 *
 * Bad:
 *
 * ```yaml
 * storage:
 *   type: postgresql
 *   uri: postgresql://app:correct-horse@db.example.com:5432/app
 * ```
 *
 * Good:
 *
 * ```yaml
 * storage:
 *   type: postgresql
 *   uri: !env PS_STORAGE_URI
 * ```
 */
import type { Rule } from './rule.ts';

export const serviceLiteralSecret: Rule = { code: 'service-literal-secret' };
