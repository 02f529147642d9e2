/** Names the users that the rows of a table select, for example `Members of the plot` for `memberships.user_id`. */
import { contains, type Expression, isAuthData } from '../plan/expression.ts';
import type { Lookup, LookupStep, StreamPlan } from '../plan/plan.ts';
import { nameOfPattern } from '../plan/tablePatterns.ts';
import { claimsIn } from './requestWords.ts';

export interface People {
  /** A plural noun phrase such as `Members of the plot`. */
  readonly who: string;
  /** The column that is compared with the token, for example `memberships.user_id`; for an expression, only the table. */
  readonly column: string;
}

/** Returns undefined if the step compares nothing with the token. */
export function peopleOf(step: LookupStep, { lookups }: StreamPlan): People | undefined {
  const lookup = lookups[step.lookup];
  if (lookup === undefined) return undefined;
  for (const [index, meeting] of step.inputs.entries()) {
    const claims = meeting.flatMap((value) => (value.kind === 'request' ? [value.value] : []));
    const input = lookup.inputs[index];
    if (!claims.some((value) => contains(value, isAuthData))) continue;
    const table = nameOfPattern(lookup.table);
    const name = input?.kind === 'column' ? input.name : '';
    return {
      who: wordsFor({ lookup, input: name, claims }),
      column: name === '' ? table : `${table}.${name}`,
    };
  }
  return undefined;
}

interface Comparison {
  readonly lookup: Lookup;
  /** The name of the column; empty for an expression. */
  readonly input: string;
  readonly claims: readonly Expression[];
}

function wordsFor({ lookup, input, claims }: Comparison): string {
  const names = [...new Set(claims.flatMap(claimsIn))];
  const table = lookup.table.name.text;
  const thing = thingOf(lookup.outputs[0], table);
  const of = thing === undefined ? '' : ` of the ${thing}`;
  if (!names.includes('sub')) return `Users${of} with ${names.join(' and ')} in the token`;
  const role = withoutId(input);
  if (role !== undefined && !isUser.test(input)) return `${pluralOf(startWithCapital(role))}${of}`;
  if (isMembership.test(table)) return `Members${of}`;
  return thing === undefined ? `Users found in ${nameOfPattern(lookup.table)}` : `Users${of}`;
}

/** Columns that identify a user without a role. */
const isUser = /^(auth)?_?(user|account|profile|person|member)_?(id|uuid|uid)$/i;
const isMembership = /members?(hips?)?$/i;

/** Returns the thing that a row is about, for example `plot` for `plot_id`, or `list` for the `id` of `lists`. */
function thingOf(output: Expression | undefined, table: string): string | undefined {
  if (output?.kind !== 'column') return undefined;
  if (/^(id|uuid)$/i.test(output.name)) return singularOf(toWords(table));
  return withoutId(output.name);
}

/** Returns `plot` for `plot_id` or `plotId`. Returns undefined if the name does not end with an id. */
function withoutId(column: string): string | undefined {
  const [, name] = /^(.+?)(?:_(?:id|uuid)|Id|Uuid)$/.exec(column) ?? [];
  return name === undefined ? undefined : toWords(name);
}

function toWords(name: string): string {
  return name
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .replace(/[_\- ]+/g, ' ')
    .trim()
    .toLowerCase();
}

function singularOf(noun: string): string {
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  return /[^s]s$/.test(noun) ? noun.slice(0, -1) : noun;
}

function pluralOf(noun: string): string {
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : noun.endsWith('s') ? noun : `${noun}s`;
}

function startWithCapital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
