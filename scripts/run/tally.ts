/** The result of a run. The last line of every runner contains it: `12 passed, 0 failed` or `…, 3 skipped`. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const nothing: Tally = { passed: 0, failed: 0, skipped: 0 };

export function add(a: Tally, b: Tally): Tally {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

export function format({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Returns the result of a step that is a single check, such as the types. */
export function ofExitCode(code: number | null): Tally {
  return code === 0 ? { ...nothing, passed: 1 } : { ...nothing, failed: 1 };
}

/**
 * Reads the result from the last line of a runner that counts. A runner counts as one failure if it crashed, counted nothing at
 * all, or reports no failure but ends with an error code.
 */
export function ofRunner(output: string, code: number | null): Tally {
  const last = output.trimEnd().split('\n').at(-1) ?? '';
  const [, passed, failed, skipped = '0'] =
    /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/.exec(last) ?? [];
  const counted = { passed: Number(passed ?? 0), failed: Number(failed ?? 0), skipped: Number(skipped) };
  const ran = counted.passed + counted.failed + counted.skipped > 0;
  const consistent = ran && (code === 0) === (counted.failed === 0);
  return consistent || counted.failed > 0 ? counted : { ...counted, failed: 1 };
}
