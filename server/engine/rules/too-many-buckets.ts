/**
 * A stream of too many kinds of buckets
 *
 * Each way in which a client can get rows is a kind of bucket. A stream can have 100.
 */
import type { Rule } from './rule.ts';

export const tooManyBuckets: Rule = { code: 'too-many-buckets' };
