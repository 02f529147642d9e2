/**
 * A file that does not exist
 *
 * The path starts in the folder of this file, so `./sync.yaml` is beside it, wherever the service is started. Without
 * the file, the service cannot deploy its sync config.
 */
import type { Rule } from './rule.ts';

export const serviceFileNotFound: Rule = { code: 'service-file-not-found' };
