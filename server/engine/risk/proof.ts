/** Decides how far a value of a request identifies the user who sends it. */
import { childrenOf, contains, type Expression, isAuthData, type Origin } from '../plan/expression.ts';
import { requestReadsIn } from '../plan/requestReads.ts';

/**
 * - `user`: the user's id. `claim`: another claim, which only the backend can write.
 * - `written`: a claim that users can write themselves. `unverified`: an address that may belong to somebody else.
 * - `none`: a value that the client chooses, or a constant.
 */
export type Proof =
  | { readonly kind: 'user' }
  | { readonly kind: 'none' }
  | { readonly kind: 'claim' | 'written' | 'unverified'; readonly claim: string; readonly at: Origin };

const noProof: Proof = { kind: 'none' };

/**
 * Returns the proof of an expression. Joined values prove as much as the strongest of them, unless the client can choose which one
 * is used.
 */
export function proofOf(expression: Expression): Proof {
  if (contains(expression, isClientData) && contains(expression, isAlternative)) return noProof;
  const proofs = requestReadsIn(expression).flatMap(({ part, path }) =>
    part === 'auth' ? [proofOfClaim(path, expression.at)] : [],
  );
  return strongest(proofs);
}

const strengths: readonly Proof['kind'][] = ['user', 'claim', 'unverified', 'written', 'none'];

export function strongest(proofs: readonly Proof[]): Proof {
  const rank = ({ kind }: Proof) => strengths.indexOf(kind);
  return proofs.toSorted((one, other) => rank(one) - rank(other))[0] ?? noProof;
}

/** Matches Supabase's `user_metadata`, which every user can write. Only the backend writes `app_metadata`. */
const writtenByUsers = /^(?:raw_)?user_?meta_?data(?:\.|$)/i;

function proofOfClaim(path: readonly string[], at: Origin): Proof {
  const claim = path.join('.');
  if (path.some((name) => writtenByUsers.test(name))) return { kind: 'written', claim, at };
  if (claim === 'sub') return { kind: 'user' };
  return { kind: claim.toLowerCase() === 'email' ? 'unverified' : 'claim', claim, at };
}

export function isClientData(node: Expression): boolean {
  return node.kind === 'request' && !isAuthData(node);
}

const alternatives: ReadonlySet<string> = new Set([
  'ifnull',
  'coalesce',
  'iif',
  'nullif',
  'if',
  'min',
  'max',
]);

function isAlternative(node: Expression): boolean {
  return node.kind === 'case' || (node.kind === 'function' && alternatives.has(node.name));
}

/** Returns the request values that a condition compares: the operands of its comparisons. */
export function comparedIn(condition: Expression): readonly Expression[] {
  return condition.kind === 'operation' && condition.op !== '->' && condition.op !== '->>'
    ? childrenOf(condition)
    : [];
}
