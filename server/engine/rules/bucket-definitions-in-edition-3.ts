/**
 * Bucket definitions in edition 3
 *
 * Edition 3 replaced bucket definitions by streams. A definition with parameters becomes a stream whose queries
 * compare with `auth`, `connection` or `subscription` values directly.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams: {}
 * bucket_definitions:
 *   mine:
 *     parameters: SELECT request.user_id() AS user_id
 *     data:
 *       - SELECT * FROM tasks WHERE owner_id = bucket.user_id
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   mine:
 *     auto_subscribe: true
 *     query: SELECT * FROM tasks WHERE owner_id = auth.user_id()
 * ```
 */
import type { Rule } from './rule.ts';

export const bucketDefinitionsInEdition3: Rule = { code: 'bucket-definitions-in-edition-3' };
