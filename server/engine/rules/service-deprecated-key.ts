/**
 * A key that is out of date
 *
 * It still works, and there is a better one.
 *
 * Bad:
 *
 * ```yaml
 * sync_rules:
 *   path: sync-config.yaml
 * ```
 *
 * Good:
 *
 * ```yaml
 * sync_config:
 *   path: sync-config.yaml
 * ```
 */
import type { Rule } from './rule.ts';

export const serviceDeprecatedKey: Rule = { code: 'service-deprecated-key' };
