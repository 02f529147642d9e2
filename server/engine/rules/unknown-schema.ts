/**
 * A schema that the source does not have
 *
 * No table can be found in it, so the query syncs nothing. Names in quotes are taken letter by letter; others are read in
 * lower case.
 *
 * With this source:
 *
 * ```sql
 * create table public.tasks (id text)
 * ```
 *
 * Bad:
 *
 * ```sql
 * SELECT * FROM pubic.tasks
 * ```
 *
 * Good:
 *
 * ```sql
 * SELECT * FROM public.tasks
 * ```
 */
import type { Rule } from './rule.ts';

export const unknownSchema: Rule = { code: 'unknown-schema' };
