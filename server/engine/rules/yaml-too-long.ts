/**
 * Too long to be read
 *
 * A single definition, or a file that cannot be read definition by definition, holds several megabytes of YAML.
 * Reading it would stop the editor for seconds, so Headwater stops here. Files of any length are read if their
 * sections and definitions start on lines of their own.
 */
import type { Rule } from './rule.ts';

export const yamlTooLong: Rule = { code: 'yaml-too-long' };
