/** Numbers, ages and sizes in the language of the user. */
import { durationOf } from '../duration.ts';
import { t } from '../l10n.ts';

/** Returns a number such as `41,200`. */
export function countText(number: number): string {
  return number.toLocaleString('en-US');
}

/** Returns a number of rows such as `1 row` or `41,200 rows`. */
export function rowsText(number: number): string {
  return number === 1 ? t('1 row') : t('{0} rows', countText(number));
}

/** Returns an age such as `12 s`, `6 min`, `3 h` or `2 days`. */
export function age(milliseconds: number): string {
  const { amount, unit } = durationOf(milliseconds);
  return {
    s: t('{0} s', amount),
    min: t('{0} min', amount),
    h: t('{0} h', amount),
    days: t('{0} days', amount),
  }[unit];
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** Returns a size such as `1 byte`, `800 bytes` or `1.4 MB`. */
export function sizeText(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  const digits = step > 0 && value < 100 ? 1 : 0;
  const amount = value.toLocaleString('en-US', { maximumFractionDigits: digits });
  if (step > 0) return `${amount} ${units[step]}`;
  return bytes === 1 ? t('1 byte') : t('{0} bytes', amount);
}
