/**
 * A number is needed
 *
 * In quotes a number is text. A service then falls back to edition 1, and everything else in the file means
 * something different.
 *
 * Bad:
 *
 * ```yaml
 * config:
 *   edition: "3"
 * streams:
 *   tasks:
 *     query: SELECT * FROM tasks
 * ```
 *
 * Good:
 *
 * ```yaml
 * config:
 *   edition: 3
 * streams:
 *   tasks:
 *     query: SELECT * FROM tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const expectedNumber: Rule = { code: 'expected-number' };
