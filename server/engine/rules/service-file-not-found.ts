/**
 * A file that does not exist
 *
 * The path starts in the folder of this file.
 */
import type { Rule } from './rule.ts';

export const serviceFileNotFound: Rule = { code: 'service-file-not-found' };
