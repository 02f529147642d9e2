/**
 * No sync config in the file
 *
 * Then it is deployed through the API, which needs a token. If that is what you want, all is well.
 *
 * Bad:
 *
 * ```yaml
 * sync_config: {}
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

export const serviceNoSyncConfig: Rule = { code: 'service-no-sync-config' };
