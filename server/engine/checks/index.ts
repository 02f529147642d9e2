/** The table of all checks of compiled definitions. Other codes are reported while a config is read and compiled. */

import { abbreviatedOutputTable } from './abbreviated-output-table.ts';
import { blobOutput } from './blob-output.ts';
import type { ConfigCheck } from './check.ts';
import { constantCondition } from './constant-condition.ts';
import { defaultStreamWithSubscriptionParameter } from './default-stream-with-subscription-parameter.ts';
import { differentColumns } from './different-columns.ts';
import { dottedKey } from './dotted-key.ts';
import { filterOnNull } from './filter-on-null.ts';
import { idNotText } from './id-not-text.ts';
import { identifierLowercased } from './identifier-lowercased.ts';
import { ignoredDistinct } from './ignored-distinct.ts';
import { ignoredStatement } from './ignored-statement.ts';
import { isTrueNumber } from './is-true-number.ts';
import { largeBucketKey } from './large-bucket-key.ts';
import { manyBuckets } from './many-buckets.ts';
import { missingComma } from './missing-comma.ts';
import { missingId } from './missing-id.ts';
import { noOutputColumns } from './no-output-columns.ts';
import { notEqualNull } from './not-equal-null.ts';
import { readsRowsOfOthers } from './reads-rows-of-others.ts';
import { rowNotCompared } from './row-not-compared.ts';
import { selfWrittenClaim } from './self-written-claim.ts';
import { typeMismatch } from './type-mismatch.ts';
import { unlistedValue } from './unlisted-value.ts';
import { unusedJoin } from './unused-join.ts';

export const checks: readonly ConfigCheck[] = [
  blobOutput,
  constantCondition,
  defaultStreamWithSubscriptionParameter,
  differentColumns,
  dottedKey,
  filterOnNull,
  idNotText,
  identifierLowercased,
  ignoredDistinct,
  ignoredStatement,
  isTrueNumber,
  largeBucketKey,
  manyBuckets,
  missingId,
  noOutputColumns,
  notEqualNull,
  readsRowsOfOthers,
  typeMismatch,
  unlistedValue,
  unusedJoin,
  rowNotCompared,
  selfWrittenClaim,
  abbreviatedOutputTable,
  missingComma,
];
