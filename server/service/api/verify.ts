/**
 * Compares the storage with the source on request. The comparison takes a long time, so one request starts it and later ones read
 * its state.
 */

import { ServiceError } from '../ground/errors.ts';
import type { Parameters } from '../http/route.ts';
import type { Verification, VerifiedTable } from '../verification/verifier.ts';
import type { ApiParts } from './parts.ts';
import { timestamp } from './status.ts';

export function problemsInVerify({ id, repair }: Parameters): readonly string[] {
  return [
    ...(id === undefined || Number.isSafeInteger(id) ? [] : ["The property 'id' must be a whole number."]),
    ...(repair === undefined || typeof repair === 'boolean'
      ? []
      : ["The property 'repair' must be a boolean."]),
  ];
}

export async function answerVerify(
  { id, repair }: Parameters,
  { verifier }: Pick<ApiParts, 'verifier'>,
): Promise<Record<string, unknown>> {
  if (id === undefined) return describe(await verifier.begin(repair === true ? 'repair' : 'only compare'));
  const found = verifier.find(id as number);
  if (found === undefined)
    throw new ServiceError('SVC_S2001', `Comparison ${id} not found. Start another one.`);
  return describe(found);
}

function describe(verification: Verification): Record<string, unknown> {
  const { id, deploymentName, isDone, tables, damaged, newDeploymentName, newConfigNumber, failure } =
    verification;
  return {
    id,
    slot_name: deploymentName,
    done: isDone,
    tables: tables.map(describeTable),
    damaged,
    ...(newDeploymentName !== undefined && { new_slot_name: newDeploymentName }),
    ...(newConfigNumber !== undefined && { new_config_number: newConfigNumber }),
    ...(failure !== undefined && { failure }),
  };
}

function describeTable({
  at,
  skipped,
  changes,
  isCopiedAgain,
  ...report
}: VerifiedTable): Record<string, unknown> {
  return {
    ...report,
    verified_ts: timestamp(at),
    ...(changes && { definition_changes: changes, copied_again: isCopiedAgain === true }),
    ...(skipped !== undefined && { skipped }),
  };
}
