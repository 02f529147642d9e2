/** Who gets the buckets of a stream, by each of its routes. */
import type { PlacedDefinition } from '../file/definitions.ts';
import type { BucketCount } from '../plan/buckets.ts';
import { clientChoiceOf } from '../plan/danger.ts';
import { childrenOf, type Expression, type RequestPart } from '../plan/expression.ts';
import type { BucketRoute, Lookup, StreamPlan } from '../plan/plan.ts';
import { nameOfPattern } from '../plan/tables.ts';
import { factorsOf, textAt } from './buckets.ts';

export interface Audience {
  /** The same for all streams that have it. */
  readonly id: string;
  readonly kind: AudienceKind;
  /** Such as `Each user`, `Each row of members`. */
  readonly label: string;
}

/**
 * - `everyone`: every client; `subscribers`: every client that subscribes; `asking`: every client that sends the value.
 * - `members`: users that a table lists; `condition`: users for whom a condition of the request holds.
 * - `user`, `claim`, `connection`, `subscription`: a bucket for each value that the request brings.
 * - `rows`, `elements`: a bucket for each row, or each element of a list, that the request leads to.
 */
type AudienceKind =
  | 'everyone'
  | 'subscribers'
  | 'asking'
  | 'members'
  | 'condition'
  | 'user'
  | 'claim'
  | 'connection'
  | 'subscription'
  | 'rows'
  | 'elements';

/** Nothing that the token says decides who gets it. */
export function isOpenTo({ kind }: Audience): boolean {
  return kind === 'everyone' || kind === 'subscribers' || kind === 'asking';
}

export function audienceOf({ route, factors }: BucketCount, plan: StreamPlan, texts: Texts): Audience {
  if (clientChoiceOf(route) !== undefined) return audience('asking', 'Any client that asks');
  if (factors.length > 0) {
    const label = factorsOf(factors, ({ of }) => textAt(texts, of));
    return audience(factors.some(({ kind }) => kind === 'rows') ? 'rows' : 'elements', `Each ${label}`);
  }
  if (route.keys.length === 0) return withoutKeys(route, plan, texts);
  return ofRequest(route);
}

type Texts = PlacedDefinition['texts'];

function audience(kind: AudienceKind, label: string): Audience {
  return { id: `${kind} ${label}`, kind, label };
}

function withoutKeys({ steps, filter }: BucketRoute, plan: StreamPlan, texts: Texts): Audience {
  const tables = steps.flatMap((step) => (step.kind === 'lookup' ? (plan.lookups[step.lookup] ?? []) : []));
  if (tables.length > 0)
    return audience('members', `Users found in ${[...new Set(tables.map(nameOfLookup))].join(' and ')}`);
  if (filter.length > 0 || steps.length > 0) {
    const conditions = filter.map(({ at }) => textAt(texts, at)).filter((text) => text !== '');
    return audience(
      'condition',
      conditions.length === 0 ? 'Only some users' : `Only where ${conditions.join(' and ')}`,
    );
  }
  return plan.isDefault || plan.isDefinition
    ? audience('everyone', 'Everyone')
    : audience('subscribers', 'Everyone who subscribes');
}

function nameOfLookup({ table }: Lookup): string {
  return nameOfPattern(table);
}

function ofRequest({ keys }: BucketRoute): Audience {
  const values = keys
    .flat()
    .flatMap((value) => (value.kind === 'request' ? requestValuesIn(value.value) : []))
    .map(describeValue);
  const names = [...new Map(values.map((value) => [value.name, value])).values()];
  const [first] = names;
  if (first === undefined) return audience('condition', 'Only some users');
  return audience(first.kind, `Each ${names.map(({ name }) => name).join(' and ')}`);
}

interface RequestValue {
  readonly part: RequestPart;
  /** Such as `sub`, `org.id`; empty for all of it. */
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
