/**
 * Very many buckets for one client
 *
 * Every combination of keys is a bucket. A service refuses a client with more than 1,000 of them, and each costs time
 * at every sync.
 */
import type { Rule } from './rule.ts';

export const manyBuckets: Rule = { code: 'many-buckets' };
