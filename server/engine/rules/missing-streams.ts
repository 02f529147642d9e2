/**
 * Edition 3 without streams
 *
 * In edition 3 everything that is synced is a stream. An empty map is enough while you begin: `streams: {}`.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: 3
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams: {}
 * ```
 */
import type { Rule } from './rule.ts';

export const missingStreams: Rule = { code: 'missing-streams' };
