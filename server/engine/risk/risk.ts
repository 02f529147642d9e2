/** Classifies the users who can get the rows of a route. All features use this classification. */

import { namesMembership, namesPrivilegedUsers, namesRole } from '../names/intentions.ts';
import { columnsIn, contains, type Expression, isAuthData, type Origin } from '../plan/expression.ts';
import type { BucketRoute, Lookup, StreamPlan } from '../plan/plan.ts';
import { requestReadsIn } from '../plan/requestReads.ts';
import { nameOfPattern } from '../plan/tablePatterns.ts';
import { clientChoiceOf } from './choice.ts';
import { type Links, linksOfRow, linksOfStep } from './links.ts';
import { isClientData, type Proof, proofOf, strongest } from './proof.ts';

/**
 * The risks from the widest audience to the narrowest. Only the last three compare the row with a value that the token proves. A
 * `claim` may also be compared with a constant, as in `auth.parameter('role') = 'admin'`.
 */
export type Risk =
  | { readonly kind: 'everyone' }
  /** Any signed-in user. */
  | { readonly kind: 'signed in'; readonly at: Origin }
  /** Every user that a table lists, no matter which rows the list belongs to. */
  | { readonly kind: 'any group'; readonly table: string; readonly at: Origin }
  /** Users that the client chooses. */
  | { readonly kind: 'client'; readonly at: Origin }
  | { readonly kind: 'claim'; readonly claim: string; readonly writable: Writable; readonly at: Origin }
  /** Members of the group to which the row belongs. */
  | { readonly kind: 'group'; readonly table: string }
  | { readonly kind: 'owner' };

/** The party that can write a claim: the backend, or users themselves. An unverified address may belong to anybody. */
type Writable = 'by the backend' | 'by the user' | 'unverified';

export function riskOf(route: BucketRoute, { lookups }: Pick<StreamPlan, 'lookups'>): Risk {
  const links = linksOfRow(route);
  return riskOfLinks(links, route, lookups) ?? riskOfChoice(route) ?? riskOfGuards(route, lookups, links);
}

/** Whether the rows are for all signed-in users, or for more users than a condition on the row allows. */
export function isUncompared({ kind }: Risk): boolean {
  return kind === 'everyone' || kind === 'signed in' || kind === 'any group' || kind === 'client';
}

/** Returns undefined if the row is not compared with any value of the token. */
function riskOfLinks(
  { direct, through }: Links,
  route: BucketRoute,
  lookups: readonly Lookup[],
): Risk | undefined {
  const own = strongest(direct.map(proofOf));
  if (own.kind === 'user') return { kind: 'owner' };
  const behind = through.map(({ value, step }) => ({ step, proof: proofOf(value) }));
  const member = behind.find(({ step, proof }) => isSigned(proof) && tableOf(route, step, lookups));
  if (member !== undefined) return { kind: 'group', table: tableOf(route, member.step, lookups) ?? '' };
  const proof = strongest([own, ...behind.map((each) => each.proof)]);
  return riskOfProof(proof, route);
}

function isSigned({ kind }: Proof): boolean {
  return kind === 'user' || kind === 'claim';
}

function riskOfProof(proof: Proof, route: BucketRoute): Risk | undefined {
  if (proof.kind === 'none') return undefined;
  if (proof.kind === 'user') return { kind: 'owner' };
  const { kind, claim, at } = proof;
  const writable =
    kind === 'claim' || (kind === 'unverified' && isVerified(route))
      ? 'by the backend'
      : kind === 'written'
        ? 'by the user'
        : 'unverified';
  return { kind: 'claim', claim, writable, at };
}

/** Whether the request must prove that its address is verified. */
function isVerified({ filter }: BucketRoute): boolean {
  return filter.some((condition) =>
    requestReadsIn(condition).some(({ path }) => path.at(-1) === 'email_verified'),
  );
}

function tableOf({ steps }: BucketRoute, index: number, lookups: readonly Lookup[]): string | undefined {
  const step = steps[index];
  const lookup = step?.kind === 'lookup' ? lookups[step.lookup] : undefined;
  return lookup && nameOfPattern(lookup.table);
}

function riskOfChoice(route: BucketRoute): Risk | undefined {
  const choice = clientChoiceOf(route);
  return choice && { kind: 'client', at: choice.at };
}

/** Returns the risk of a route without conditions on its rows. Conditions on the request decide only which users get all rows. */
function riskOfGuards(route: BucketRoute, lookups: readonly Lookup[], { steps: linked }: Links): Risk {
  const guards: Risk[] = [
    ...route.filter.flatMap((condition) => riskOfCondition(condition, route)),
    ...route.steps.flatMap((_, index) => (linked.has(index) ? [] : riskOfStep(route, index, lookups))),
  ];
  const order: readonly Risk['kind'][] = ['claim', 'any group', 'client', 'signed in'];
  const strict = guards.toSorted((one, other) => rankOf(one, order) - rankOf(other, order));
  return strict[0] ?? { kind: 'everyone' };
}

function rankOf(risk: Risk, order: readonly Risk['kind'][]): number {
  const isWritten = risk.kind === 'claim' && risk.writable !== 'by the backend';
  return order.indexOf(risk.kind) + (isWritten ? 0.5 : 0);
}

function riskOfCondition(condition: Expression, route: BucketRoute): readonly Risk[] {
  const { at } = condition;
  if (!contains(condition, isAuthData)) return [];
  if (contains(condition, isClientData)) return [{ kind: 'client', at }];
  const proof = isSelective(condition) ? proofOf(condition) : undefined;
  if (proof === undefined || proof.kind === 'none') return [{ kind: 'signed in', at }];
  if (proof.kind === 'user') return [{ kind: 'claim', claim: 'sub', writable: 'by the backend', at }];
  const risk = riskOfProof(proof, route);
  return risk?.kind === 'claim' ? [{ ...risk, at }] : [];
}

/** Whether a condition distinguishes signed-in users. */
function isSelective(condition: Expression): boolean {
  if (condition.kind !== 'operation') return !isOnlyUserId(condition);
  const { op, args } = condition;
  switch (op) {
    case 'and':
      return args.some(isSelective);
    case 'or':
      return args.every(isSelective);
    case 'not':
      return args.every((arg) => isSelective(arg) && !isOnlyUserId(arg));
    case 'is null':
      return false;
    case '=':
    case 'in list':
      return !args.some(isConstantOf('authenticated')) && !isSameTwice(args);
    case '->':
    case '->>':
      return !isOnlyUserId(condition);
    default:
      return true;
  }
}

function isOnlyUserId(expression: Expression): boolean {
  const reads = requestReadsIn(expression);
  return reads.length > 0 && reads.every(({ path }) => path.join('.') === 'sub');
}

function isSameTwice(args: readonly Expression[]): boolean {
  return args.every((arg) => contains(arg, isAuthData)) && args.every(isOnlyUserId);
}

/** Returns a test for a constant with this text. Supabase gives this role to every signed-in user, including anonymous ones. */
function isConstantOf(text: string): (expression: Expression) => boolean {
  return (node) => node.kind === 'constant' && node.value.type === 'text' && node.value.value === text;
}

function riskOfStep(route: BucketRoute, index: number, lookups: readonly Lookup[]): readonly Risk[] {
  const step = route.steps[index];
  const { through, steps } = linksOfStep(route, index);
  const proof = strongest(through.map(({ value }) => proofOf(value)));
  const isRequested = through.some(({ value }) => contains(value, ({ kind }) => kind === 'request'));
  if (step === undefined || !isRequested) return [];
  const isChosen = through.some(({ value }) => contains(value, isClientData));
  if (step.kind === 'expand') {
    const { at } = step.expansion;
    if (isChosen) return [{ kind: 'client', at }];
    if (step.filter.length === 0) return [{ kind: 'signed in', at }];
    const risk = riskOfProof(proof, route);
    return risk?.kind === 'claim' ? [{ ...risk, at }] : [{ kind: 'signed in', at }];
  }
  const lookup = lookups[step.lookup];
  if (lookup === undefined) return [];
  const { at } = lookup;
  if (proof.kind === 'none') return [{ kind: 'client', at }];
  if (!isSigned(proof)) return [riskOfProof(proof, route) ?? { kind: 'client', at }];
  const table = nameOfPattern(lookup.table);
  const all = [...steps].flatMap((each) => {
    const other = route.steps[each];
    return other?.kind === 'lookup' ? (lookups[other.lookup] ?? []) : [];
  });
  return !isChosen && all.some(isOfPrivileged)
    ? [{ kind: 'claim', claim: table, writable: 'by the backend', at }]
    : [{ kind: 'any group', table, at }];
}

/** Whether a lookup finds only users with a special role, rather than members of one of many groups. */
function isOfPrivileged({ table, filter }: Lookup): boolean {
  if (namesMembership(table.name.text)) return false;
  return (
    namesPrivilegedUsers(table.name.text) ||
    filter.some((condition) => columnsIn(condition).some(namesRole) && !contains(condition, isNullTest))
  );
}

function isNullTest(node: Expression): boolean {
  return node.kind === 'operation' && node.op === 'is null';
}
