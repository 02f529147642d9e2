/** Amounts and times, as people read them. */

const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** `1.4 MB`. */
export function bytesText(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${value.toLocaleString('en', { maximumFractionDigits: step > 0 && value < 100 ? 1 : 0 })} ${units[step]}`;
}

/** `41,200`. */
export function numberText(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 0 });
}

/** `1 row`, `2 rows`. */
export function amountText(count: number, noun: string): string {
  return `${numberText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `350 ms`, `12 s`, `4 min`, `3 h`, `2 days`. */
export function durationText(milliseconds: number): string {
  const value = Math.max(0, milliseconds);
  if (value < 1_000) return `${Math.round(value)} ms`;
  const seconds = value / 1_000;
  if (seconds < 90) return `${numberText(Math.round(seconds))} s`;
  const minutes = seconds / 60;
  if (minutes < 90) return `${Math.round(minutes)} min`;
  const hours = minutes / 60;
  return hours < 36 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} days`;
}

/** `14:03:22`. */
export function clockText(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
}
