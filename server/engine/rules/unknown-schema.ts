/**
 * A schema that the source does not have
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
