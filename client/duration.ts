/** A duration in the unit that people would choose for it. */
interface Duration {
  readonly amount: number;
  readonly unit: 's' | 'min' | 'h' | 'days';
}

/** Returns a duration. Values such as 89 s, 90 min and 47 h stay in their unit, because the next unit would be less exact. */
export function durationOf(milliseconds: number): Duration {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 90) return { amount: seconds, unit: 's' };
  if (seconds < 90 * 60) return { amount: Math.round(seconds / 60), unit: 'min' };
  if (seconds < 48 * 3600) return { amount: Math.round(seconds / 3600), unit: 'h' };
  return { amount: Math.round(seconds / 86_400), unit: 'days' };
}

/** Returns `12 s`, `6 min`, `3 h` or `2 days`, for texts that are not translated. */
export function plainDuration(milliseconds: number): string {
  const { amount, unit } = durationOf(milliseconds);
  return `${amount} ${unit}`;
}
