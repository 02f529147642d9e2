/**
 * sync_rules beside sync_config
 *
 * Both are names of the same thing.
 *
 * Bad:
 *
 * ```yaml
 * sync_config:
 *   path: sync-config.yaml
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

export const serviceSyncConfigTwice: Rule = { code: 'service-sync-config-twice' };
