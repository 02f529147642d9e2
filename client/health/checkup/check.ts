/** The results of a checkup: one entry for each thing that can be wrong between the file and the device. */

export interface CheckResult {
  /** The id stays the same in all versions, because programs use it. */
  readonly id: CheckId;
  readonly state: CheckState;
  readonly sentence: string;
  /** The next step for the user. */
  readonly step?: string;
}

/** `unknown`: the check could not run, so there is no verdict. */
type CheckState = 'good' | 'warning' | 'bad' | 'unknown';

/** The checks in the order in which data moves from the file to the device. */
export const checkIds = [
  'file',
  'findings',
  'variables',
  'source',
  'wal-level',
  'replication',
  'slots',
  'publication',
  'rights',
  'replica-identity',
  'tables',
  'service',
  'version',
  'deployed',
  'active',
  'keys',
  'token',
  'sync',
] as const;

export type CheckId = (typeof checkIds)[number];

export function good(id: CheckId, sentence: string): CheckResult {
  return { id, state: 'good', sentence };
}

export function doubtful(id: CheckId, sentence: string, step: string): CheckResult {
  return { id, state: 'warning', sentence, step };
}

export function bad(id: CheckId, sentence: string, step: string): CheckResult {
  return { id, state: 'bad', sentence, step };
}

export function unknown(id: CheckId, sentence: string, step?: string): CheckResult {
  return { id, state: 'unknown', sentence, ...(step !== undefined && { step }) };
}
