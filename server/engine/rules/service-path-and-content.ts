/**
 * Both a path and a content
 *
 * The path wins, and nobody reads the content.
 *
 * Bad:
 *
 * ```yaml
 * sync_config:
 *   path: sync-config.yaml
 *   content: |
 *     config:
 *       edition: 3
 *     streams: {}
 * ```
 *
 * Good:
 *
 * ```yaml
 * sync_config:
 *   content: |
 *     config:
 *       edition: 3
 *     streams: {}
 * ```
 */
import type { Rule } from './rule.ts';

export const servicePathAndContent: Rule = { code: 'service-path-and-content' };
