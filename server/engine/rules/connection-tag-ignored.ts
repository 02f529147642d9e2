/**
 * The tag of a connection in edition 3
 *
 * `"tag.schema".table` reads from another connection in bucket definitions. Edition 3 drops the tag, and reads the
 * table of the default connection.
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM "archive.public".tasks
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM public.tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const connectionTagIgnored: Rule = { code: 'connection-tag-ignored' };
