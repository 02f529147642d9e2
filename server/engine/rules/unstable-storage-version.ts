/**
 * A storage version that may change
 *
 * Version 3 of the storage format is still being developed. After an update of the service all data may have to be
 * replicated again.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 *   storage_version: 3
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

export const unstableStorageVersion: Rule = { code: 'unstable-storage-version' };
