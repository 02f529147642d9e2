/** The facts for the page before a deploy: what the config changes, and what the source of the service lacks. */
import { type AccessComparison, describeComparison } from '../../server/engine/index.ts';
import { review } from '../../server/features/review.ts';
import type { ReviewResult } from '../../server/protocol.ts';
import type { Api } from '../api/api.ts';
import { unlessFailed } from '../api/failure.ts';
import type { SourceCheck } from '../deploying/flow.ts';
import { compareConfigTexts } from './diff/access.ts';
import { missingInSource, sourceOf } from './project/missing.ts';
import type { CheckedFile } from './validate/checkText.ts';
import type { World } from './world.ts';

interface DeployFacts {
  readonly review: ReviewResult;
  /** Absent if there is nothing to compare with. */
  readonly access: AccessComparison | undefined;
  readonly source: SourceCheck;
}

/** The maximum time for comparing access, in milliseconds. It is short because the user is waiting for the deploy. */
export const longestComparison = 2_000;

/** @param before the text of the active config */
export async function factsBefore(
  api: Api,
  { path, text }: Pick<CheckedFile, 'path' | 'text'>,
  before: string | undefined,
  world: World,
): Promise<DeployFacts> {
  const known = await sourceOf(api, world);
  const isOther = before !== undefined && before !== text;
  const access = isOther ? compareConfigTexts(before, text, known, longestComparison, world) : undefined;
  const found = review(text, { before, source: known });
  const missing = known && missingInSource(known, { path, text });
  return {
    // The command has refused errors by now, unless they are to be ignored.
    review: { ...found, errors: 0, ...(access && { access: describeComparison(access) }) },
    access,
    source: { missing, warnings: [] },
  };
}

/** Returns an answer, or undefined if the service fails to give it, because a deploy does not depend on it. */
export async function unlessRefused<T>(
  answer: Promise<T | undefined>,
  signal: AbortSignal,
): Promise<T | undefined> {
  const given = await unlessFailed(answer);
  if (given === undefined) signal.throwIfAborted();
  return given;
}
