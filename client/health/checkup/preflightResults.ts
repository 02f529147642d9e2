/** Converts the checks of a preflight into the results of a checkup. */
import type { PreflightCheck } from '../../api/reports/preflight.ts';
import { type CheckId, type CheckResult, checkIds } from './check.ts';

/** Leaves out checks that only a newer service knows. */
export function preflightResults(checks: readonly PreflightCheck[]): readonly CheckResult[] {
  return checks.flatMap((check) => {
    const id = checkIds.find((known) => known === check.id);
    return id === undefined ? [] : [resultOf(id, check)];
  });
}

function resultOf(id: CheckId, check: PreflightCheck): CheckResult {
  switch (check.state) {
    case 'ok':
      return { id, state: 'good', sentence: check.message };
    case 'unchecked':
      return { id, state: 'unknown', sentence: check.why };
    case 'failed':
      return {
        id,
        state: check.problems.some(({ level }) => level === 'fatal') ? 'bad' : 'warning',
        sentence: check.problems.map(({ code, cause }) => `[${code}] ${cause}`).join(' '),
        step: check.problems.map(({ remedy }) => remedy).join(' '),
      };
  }
}
