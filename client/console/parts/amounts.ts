/** Formats amounts and times for people. */
import { age } from '../../health/amounts.ts';

/** Returns a number such as `41,200`. */
export function numberText(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 0 });
}

/** Returns an amount such as `1 row` or `2 rows`. */
export function amountText(count: number, noun: string): string {
  return `${numberText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns a duration such as `350 ms`, `12 s`, `4 min`, `3 h` or `2 days`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.max(0, Math.round(milliseconds))} ms`;
  return age(milliseconds);
}

/** Returns a time such as `14:03:22`. */
export function clockText(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
}

/** Returns a date with its time, as the editor writes it. */
export function dateText(at: number): string {
  return new Date(at).toLocaleString();
}
