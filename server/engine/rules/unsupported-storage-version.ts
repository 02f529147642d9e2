/**
 * A storage version that does not exist
 *
 * The storage version chooses how a service stores buckets. Version 2 is the stable one.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 *   storage_version: 1
 * streams: {}
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 *   storage_version: 2
 * streams: {}
 * ```
 */
import type { Rule } from './rule.ts';

export const unsupportedStorageVersion: Rule = { code: 'unsupported-storage-version' };
