/** The users who get the buckets of a stream, by route. */
import type { PlacedDefinition } from '../file/definitions.ts';
import type { BucketCount } from '../plan/buckets.ts';
import { childrenOf, contains, type Expression, isAuthData, type RequestPart } from '../plan/expression.ts';
import type { BucketRoute, RouteStep, StreamPlan } from '../plan/plan.ts';
import { nameOfPattern } from '../plan/tablePatterns.ts';
import { clientChoiceOf, guardingSteps } from '../risk/choice.ts';
import { requestValuesOf } from '../risk/steps.ts';
import { factorsOf, textAt } from './bucketWords.ts';

export interface Audience {
  /** An id that is the same for all streams with this audience. */
  readonly id: string;
  readonly kind: AudienceKind;
  /** A label such as `Each user` or `Each row of members`. */
  readonly label: string;
}

/**
 * - `everyone`: every client; `subscribers`: every client that subscribes; `asking`: every client that sends the value.
 * - `allowed`: clients that send the value, if the token passes a condition or matches a row.
 * - `members`: users that a table lists; `condition`: users for whom a condition of the request holds.
 * - `user`, `claim`, `connection`, `subscription`: a bucket for each value in the request.
 * - `rows`, `elements`: a bucket for each row, or each element of a list, that the request matches.
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
  | 'connection'
  | 'subscription'
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
  const [kind, who] = ofKeys(route, factors, texts);
  return audience(kind, `${who}${onlyIf([...guard.found, ...guard.conditions])}`);
}

type Texts = PlacedDefinition['texts'];

function audience(kind: AudienceKind, label: string): Audience {
  return { id: `${kind} ${label}`, kind, label };
}

/** The conditions that a request must meet, apart from the conditions that choose the keys. */
interface Guard {
  /** Tables in which a value of the request must be found. */
  readonly tables: readonly string[];
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
  return {
    tables,
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

/** Returns a text such as ` (only if found in admins)`. */
function onlyIf(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` (only if ${conditions.join(' and ')})`;
}

const whoAsks = 'Any client that asks';

function ofChoice({ reads, found, conditions }: Guard): Audience {
  return reads === 'signed'
    ? audience('allowed', `${whoAsks}${onlyIf([...found, ...conditions])}`)
    : audience('asking', whoAsks);
}

function withoutKeys(guard: Guard, plan: StreamPlan): Audience {
  const { tables, found, conditions, reads } = guard;
  if (reads === 'client') return ofChoice(guard);
  if (reads === 'nothing') {
    const more = onlyIf([...found, ...conditions]);
    return plan.isDefault || plan.isDefinition
      ? audience('everyone', `Everyone${more}`)
      : audience('subscribers', `Everyone who subscribes${more}`);
  }
  if (tables.length > 0)
    return audience('members', `Users found in ${tables.join(' and ')}${onlyIf(conditions)}`);
  const all = [...conditions, ...found];
  return audience('condition', all.length === 0 ? 'Some users' : `Users${onlyIf(all)}`);
}

function ofKeys(
  route: BucketRoute,
  factors: BucketCount['factors'],
  texts: Texts,
): readonly [kind: AudienceKind, who: string] {
  if (factors.length === 0) return ofRequest(route);
  const label = factorsOf(factors, ({ of }) => textAt(texts, of));
  return [factors.some(({ kind }) => kind === 'rows') ? 'rows' : 'elements', `Each ${label}`];
}

function ofRequest({ keys }: BucketRoute): readonly [kind: AudienceKind, who: string] {
  const values = keys
    .flat()
    .flatMap((value) => (value.kind === 'request' ? requestValuesIn(value.value) : []))
    .map(describeValue);
  const names = [...new Map(values.map((value) => [value.name, value])).values()];
  const [first] = names;
  if (first === undefined) return ['condition', 'Some users'];
  return [first.kind, `Each ${names.map(({ name }) => name).join(' and ')}`];
}

interface RequestValue {
  readonly part: RequestPart;
  /** A name such as `sub` or `org.id`; empty for the entire part. */
  readonly name: string;
}

function requestValuesIn(expression: Expression): readonly RequestValue[] {
  if (expression.kind === 'request')
    return [{ part: expression.part, name: (expression.path ?? []).join('.') }];
  const children = childrenOf(expression).flatMap(requestValuesIn);
  const isProperty = expression.kind === 'operation' && (expression.op === '->' || expression.op === '->>');
  const key = isProperty ? expression.args[1] : undefined;
  if (key?.kind !== 'constant' || key.value.type !== 'text') return children;
  const property = key.value.value.replace(/^\$\.?/, '');
  return children.map(({ part, name }) => ({ part, name: name === '' ? property : `${name}.${property}` }));
}

function describeValue({ part, name }: RequestValue): {
  readonly kind: AudienceKind;
  readonly name: string;
} {
  switch (part) {
    case 'auth':
      return name === 'sub' || name === ''
        ? { kind: 'user', name: 'user' }
        : { kind: 'claim', name: `${name} of a token` };
    case 'connection':
      return { kind: 'connection', name: name === '' ? 'connection' : `${name} of a connection` };
    case 'subscription':
      return { kind: 'subscription', name: 'subscription' };
  }
}
