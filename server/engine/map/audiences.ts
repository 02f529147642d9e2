/** The users who get the buckets of a stream, by route. */
import type { PlacedDefinition } from '../file/definitions.ts';
import type { BucketCount } from '../plan/buckets.ts';
import { contains, type Expression, isAuthData, type RequestPart } from '../plan/expression.ts';
import type { BucketRoute, RouteStep, StreamPlan } from '../plan/plan.ts';
import { nameOfPattern } from '../plan/tablePatterns.ts';
import { clientChoiceOf, guardingSteps } from '../risk/choice.ts';
import { requestValuesOf } from '../risk/steps.ts';
import { factorsOf, textAt } from './bucketWords.ts';
import { type People, peopleOf } from './people.ts';
import { requestValuesIn } from './requestWords.ts';

export interface Audience {
  /** An id that is the same for all streams with this audience. */
  readonly id: string;
  readonly kind: AudienceKind;
  /** A label such as `Each user` or `Members of the plot (memberships.user_id)`. */
  readonly label: string;
}

/**
 * - `everyone`: every client; `subscribers`: every client that subscribes; `asking`: every client that sends the value.
 * - `allowed`: clients that send the value, if the token passes a condition or matches a row.
 * - `members`: users that a table lists; `condition`: users for whom a condition of the request holds.
 * - `user`, `claim`: users whose token has the value of a key.
 * - `rows`, `elements`: a bucket for each row of a table that compares nothing with the token, or for each element of a list.
 */
type AudienceKind =
  | 'everyone'
  | 'subscribers'
  | 'asking'
  | 'allowed'
  | 'members'
  | 'condition'
  | 'user'
  | 'claim'
  | 'rows'
  | 'elements';

/** Whether clients get the stream regardless of their token. */
export function isOpenTo({ kind }: Audience): boolean {
  return kind === 'everyone' || kind === 'subscribers' || kind === 'asking';
}

export function audienceOf({ route, factors }: BucketCount, plan: StreamPlan, texts: Texts): Audience {
  const guard = guardOf(route, plan, texts);
  if (clientChoiceOf(route) !== undefined) return ofChoice(guard);
  if (route.keys.length === 0) return withoutKeys(guard, plan);
  return ofKeys({ plan, texts, route, factors, guard });
}

function peopleIn(steps: readonly RouteStep[], plan: StreamPlan): readonly People[] {
  return steps.flatMap((step) => (step.kind === 'lookup' ? (peopleOf(step, plan) ?? []) : []));
}

/** Returns a text such as `Members of the plot (memberships.user_id, only if found in admins)`. */
function namedBy(people: readonly People[], conditions: readonly string[]): string {
  const who = distinctTexts(people.map((each) => each.who)).join(' and ');
  return withNotes(who, [columnsOf(people).join(' and '), ...onlyIf(conditions)]);
}

function columnsOf(people: readonly People[]): readonly string[] {
  return distinctTexts(people.map(({ column }) => column));
}

type Texts = PlacedDefinition['texts'];

function audience(kind: AudienceKind, label: string): Audience {
  return { id: `${kind} ${label}`, kind, label };
}

/** The conditions that a request must meet, apart from the conditions that choose the keys. */
interface Guard {
  /** Tables in which a value of the request must be found. */
  readonly tables: readonly string[];
  /** The users that these tables list. Empty unless each table compares a column with the token. */
  readonly people: readonly People[];
  /** Descriptions of these tables, and of tables that only need to contain a row, regardless of the user. */
  readonly found: readonly string[];
  readonly conditions: readonly string[];
  /** The part of the request that the condition reads. A client without a matching token fails a `signed` condition. */
  readonly reads: 'nothing' | 'client' | 'signed';
}

function guardOf(route: BucketRoute, plan: StreamPlan, texts: Texts): Guard {
  const steps = guardingSteps(route);
  const values = [...route.filter, ...steps.flatMap(valuesOf)];
  const isSigned = values.some((value) => contains(value, isAuthData));
  const isRead = values.some((value) => contains(value, ({ kind }) => kind === 'request'));
  const tables = distinctTexts(steps.filter(takesInput).flatMap((step) => tableOf(step, plan)));
  const filled = distinctTexts(
    steps.filter((step) => !takesInput(step)).flatMap((step) => tableOf(step, plan)),
  );
  const conditions = [
    ...route.filter,
    ...steps.flatMap((step) => (step.kind === 'expand' ? [step.expansion, ...step.filter] : [])),
  ];
  const people = peopleIn(steps.filter(takesInput), plan);
  return {
    tables,
    people: columnsOf(people).length === tables.length ? people : [],
    found: [
      ...tables.map((name) => `found in ${name}`),
      ...filled.map((name) => `${name} has a matching row`),
    ],
    conditions: distinctTexts(conditions.map(({ at }) => textAt(texts, at)).filter((text) => text !== '')),
    reads: isSigned ? 'signed' : isRead ? 'client' : 'nothing',
  };
}

function valuesOf(step: RouteStep): readonly Expression[] {
  return step.kind === 'expand' ? [...requestValuesOf(step), ...step.filter] : requestValuesOf(step);
}

function takesInput(step: RouteStep): boolean {
  return step.kind === 'lookup' && step.inputs.length > 0;
}

function tableOf(step: RouteStep, { lookups }: StreamPlan): readonly string[] {
  const lookup = step.kind === 'lookup' ? lookups[step.lookup] : undefined;
  return lookup === undefined ? [] : [nameOfPattern(lookup.table)];
}

export function distinctTexts(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

/** Returns a text such as `only if found in admins`, if there are conditions. */
function onlyIf(conditions: readonly string[]): readonly string[] {
  return conditions.length === 0 ? [] : [`only if ${conditions.join(' and ')}`];
}

/** Adds notes in parentheses. */
function withNotes(who: string, notes: readonly string[]): string {
  return notes.length === 0 ? who : `${who} (${notes.join(', ')})`;
}

const whoAsks = 'Any client that asks';

function ofChoice({ reads, found, conditions }: Guard): Audience {
  return reads === 'signed'
    ? audience('allowed', withNotes(whoAsks, onlyIf([...found, ...conditions])))
    : audience('asking', whoAsks);
}

function withoutKeys(guard: Guard, plan: StreamPlan): Audience {
  const { tables, people, found, conditions, reads } = guard;
  if (reads === 'client') return ofChoice(guard);
  if (reads === 'nothing') {
    const notes = onlyIf([...found, ...conditions]);
    return isForAll(plan)
      ? audience('everyone', withNotes(everyone(plan), notes))
      : audience('subscribers', withNotes(everyone(plan), notes));
  }
  if (people.length > 0) return audience('members', namedBy(people, conditions));
  if (tables.length > 0)
    return audience('members', withNotes(`Users found in ${tables.join(' and ')}`, onlyIf(conditions)));
  const all = [...conditions, ...found];
  return audience('condition', all.length === 0 ? 'Some users' : withNotes('Users', onlyIf(all)));
}

function isForAll({ isDefault, isDefinition }: StreamPlan): boolean {
  return isDefault || isDefinition === true;
}

function everyone(plan: StreamPlan): string {
  return isForAll(plan) ? 'Everyone' : 'Everyone who subscribes';
}

interface KeyedRoute extends Pick<BucketCount, 'route' | 'factors'> {
  readonly plan: StreamPlan;
  readonly texts: Texts;
  readonly guard: Guard;
}

function ofKeys({ plan, texts, route, factors, guard }: KeyedRoute): Audience {
  const guarding = new Set(guardingSteps(route));
  const steps = route.steps.filter((step) => !guarding.has(step));
  const people = peopleIn(steps, plan);
  const conditions = [...guard.found, ...guard.conditions];
  const direct = ofRequest(route);
  if (direct !== undefined) {
    const found = columnsOf(people).map((column) => `found in ${column}`);
    return audience(direct.kind, withNotes(direct.who, onlyIf([...found, ...conditions])));
  }
  if (people.length > 0) return audience('members', namedBy(people, conditions));
  const label = factorsOf(factors, ({ of }) => textAt(texts, of));
  if (factors.length === 0) return audience('condition', withNotes('Some users', onlyIf(conditions)));
  if (factors.every(({ kind }) => kind === 'elements'))
    return audience('elements', withNotes(`Each ${label}`, onlyIf(conditions)));
  if (steps.flatMap(valuesOf).some((value) => contains(value, isAuthData)))
    return audience('members', withNotes(`Users found through each ${label}`, onlyIf(conditions)));
  return audience('rows', withNotes(everyone(plan), [`for each ${label}`, ...onlyIf(conditions)]));
}

/** Returns users by the values of the request that must equal a key, such as `Users with team_id in the token`. */
function ofRequest({ keys }: BucketRoute): { readonly kind: AudienceKind; readonly who: string } | undefined {
  const values = keys
    .flat()
    .flatMap((value) => (value.kind === 'request' ? requestValuesIn(value.value) : []));
  const namesOf = (wanted: RequestPart) =>
    distinctTexts(values.flatMap(({ part, name }) => (part === wanted ? [name] : [])));
  const claims = namesOf('auth');
  const others = claims.filter((name) => name !== 'sub' && name !== '');
  if (claims.length === 0) return undefined;
  const isEach = others.length < claims.length;
  const who = [
    isEach ? 'Each user' : 'Users',
    ...valuesIn('token', others),
    ...valuesIn('connection', namesOf('connection')),
    ...(namesOf('subscription').length === 0 ? [] : [isEach ? 'who subscribes' : 'who subscribe']),
  ];
  return { kind: isEach ? 'user' : 'claim', who: who.join(' ') };
}

function valuesIn(place: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`with ${names.join(' and ')} in the ${place}`];
}
