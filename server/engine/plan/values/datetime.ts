/** Computes datetime() and unixepoch(). There is no clock, so `now` is NULL. */
import type { SqlValue } from './value.ts';

/** The number of days from the start of the Julian calendar to 1970-01-01T00:00Z. */
const julianDayOfEpoch = 2440587.5;
const millisecondsOfDay = 86_400_000;
const millisecondsOfMinute = 60_000;

export function datetime(args: readonly SqlValue[]): SqlValue {
  const moment = readMoment(args);
  if (moment === null) return null;
  const iso = new Date(moment.milliseconds).toISOString();
  // The text is like `2024-01-02T03:04:05.678Z`, with a sign and six digits for years outside 0–9999.
  const [date = '', time = ''] = iso.split('T');
  return `${date.replace(/^-0+/, '-')} ${moment.subsecond ? time.slice(0, 12) : time.slice(0, 8)}`;
}

export function unixepoch(args: readonly SqlValue[]): SqlValue {
  const moment = readMoment(args);
  if (moment === null) return null;
  return moment.subsecond ? moment.milliseconds / 1000 : BigInt(Math.floor(moment.milliseconds / 1000));
}

interface Moment {
  readonly milliseconds: number;
  readonly subsecond: boolean;
}

/**
 * Reads a time and its modifiers. `'unixepoch'` is allowed only as the first modifier, and counts only for numbers. The next
 * modifier must be a known one, and any further ones are ignored.
 */
function readMoment([time = null, ...modifiers]: readonly SqlValue[]): Moment | null {
  if (time === null || time instanceof Uint8Array) return null;
  const [first = null] = modifiers;
  const seconds = first === 'unixepoch';
  const rest = seconds ? modifiers.slice(1) : modifiers;
  const subsecond = rest[0] === 'subsec' || rest[0] === 'subsecond';
  if (rest.length > 0 && rest[0] !== null && !subsecond) return null;
  if (rest.slice(1).includes('unixepoch')) return null;
  const milliseconds = seconds && typeof time !== 'string' ? fromSeconds(time) : fromTime(time);
  // A year that the host's calendar cannot represent is NULL.
  return Math.abs(milliseconds) <= 8.64e15 ? { milliseconds, subsecond } : null;
}

function fromSeconds(time: bigint | number): number {
  return Math.floor(Number(time) * 1000);
}

function fromTime(time: bigint | number | string): number {
  if (typeof time !== 'string') return fromJulianDay(Number(time));
  const text = time.trim();
  if (/^[+-]?\d+(\.\d*)?$/.test(text)) return fromJulianDay(Number(text));
  return fromText(text);
}

function fromJulianDay(day: number): number {
  return Math.round((day - julianDayOfEpoch) * millisecondsOfDay);
}

const dateForm = /([+-]\d{6}|\d{4,6})-(\d{1,2})(?:-(\d{1,2}))?/.source;
const timeForm = /(?:T(?=\d\d:)| +)(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?/.source;
const zoneForm = / *([+-])(\d{2}):(\d{2})/.source;
const dateTimeForm = new RegExp(`^${dateForm}(?: *Z|${timeForm}(?: *Z|${zoneForm})?)?$`, 'i');

/** Reads a text. If it does not match the pattern, the result is NULL; the reference guesses in some cases. */
function fromText(text: string): number {
  const match = dateTimeForm.exec(text);
  if (match === null) return Number.NaN;
  const [, year, month, day = '1', hour = '0', minute = '0', second = '0', fraction = ''] = match;
  const [sign, zoneHour = '0', zoneMinute = '0'] = match.slice(8);
  const inMonth = isBetween(1, month, 12) && isBetween(1, day, 31);
  const inDay = isBetween(0, hour, 23) && isBetween(0, minute, 59) && isBetween(0, second, 59);
  const isMidnight = Number(hour) === 24 && Number(minute) === 0 && Number(`${second}.${fraction}`) === 0;
  if (!inMonth || !(inDay || isMidnight) || !isBetween(0, zoneMinute, 59)) return Number.NaN;
  const date = new Date(0);
  // A day after the end of a month is a day of the next month.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, '0').slice(0, 3)));
  const zone = (Number(zoneHour) * 60 + Number(zoneMinute)) * millisecondsOfMinute;
  return date.getTime() - (sign === '-' ? -zone : zone);
}

function isBetween(least: number, digits: string | undefined, most: number): boolean {
  return Number(digits) >= least && Number(digits) <= most;
}
