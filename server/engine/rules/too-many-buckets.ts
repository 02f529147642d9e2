/**
 * A stream of too many kinds of buckets
 *
 * Each way in which a client can get rows is a kind of bucket. A stream can have 100. Each OR between conditions on the
 * request makes more of them, and ORs that are joined by AND multiply: split such a stream into several.
 */
import type { Rule } from './rule.ts';

export const tooManyBuckets: Rule = { code: 'too-many-buckets' };
