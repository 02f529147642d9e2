/**
 * The file of a hosted instance
 *
 * Its keys differ from those of a self-hosted service, so only its YAML is checked.
 *
 * Bad:
 *
 * ```yaml
 * _type: cloud
 * name: my-instance
 * region: eu
 * ```
 *
 * Good:
 *
 * ```yaml
 * _type: self-hosted
 * sync_config:
 *   path: sync-config.yaml
 * ```
 */
import type { Rule } from './rule.ts';

export const serviceCloud: Rule = { code: 'service-cloud' };
