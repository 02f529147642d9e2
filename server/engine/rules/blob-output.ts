/**
 * A binary column
 *
 * Binary values cannot be written as JSON, so a service leaves the column out. Send it as a text.
 *
 * With this source:
 *
 * ```sql
 * create table files (id text, content blob)
 * ```
 *
 * Bad:
 *
 * ```sql
 * SELECT id, content FROM files
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT id, base64(content) AS content FROM files
 * ```
 */
import type { Rule } from './rule.ts';

export const blobOutput: Rule = { code: 'blob-output' };
