/**
 * Converts dates and times that Postgres writes with `DateStyle=ISO` and `TimeZone=UTC` to the form of a config: `2024-01-02
 * 03:04:05.1` stays unchanged, or becomes `2024-01-02T03:04:05.100000`.
 */
import type { TimePrecision } from '../../../model/definition.ts';
import type { TimeOptions } from '../source.ts';

/** Returns null for values that configs cannot show: years BC, and years after 9999 with a time zone. */
type TimeConverter = (text: string) => string | null;

/** The number of fraction digits for each precision. Postgres stores microseconds. */
const fractionDigits: Readonly<Record<TimePrecision, number>> = {
  seconds: 0,
  milliseconds: 3,
  microseconds: 6,
  nanoseconds: 6,
};

export function toTimestampConverter(options: TimeOptions): TimeConverter {
  return toMomentConverter(options, '');
}

/** Returns a converter for texts that end with `+00`. */
export function toTimestampWithZoneConverter(options: TimeOptions): TimeConverter {
  return toMomentConverter(options, 'Z');
}

export function toTimeConverter(options: TimeOptions): TimeConverter {
  if (!options.timestampsIso8601) return (text) => text;
  const digits = digitsOf(options);
  return (text) => withFraction(text, 'hh:mm:ss'.length, text.length, digits);
}

export function convertDate(text: string): string {
  if (text === 'infinity') return '9999-12-31';
  return text === '-infinity' ? '0000-01-01' : text;
}

const dateLength = 'yyyy-mm-dd'.length;
const timeLength = 'hh:mm:ss'.length;

function toMomentConverter(options: TimeOptions, zone: '' | 'Z'): TimeConverter {
  const separator = options.timestampsIso8601 ? 'T' : ' ';
  const digits = options.timestampsIso8601 ? digitsOf(options) : undefined;
  const latest = withFractionOfZeros(`9999-12-31${separator}23:59:59`, digits) + zone;
  const earliest = withFractionOfZeros(`0000-01-01${separator}00:00:00`, digits) + zone;
  const zoneLength = zone === '' ? 0 : '+00'.length;
  return (text) => {
    const space = text.indexOf(' ');
    if (space < 0) return text === 'infinity' ? latest : earliest;
    if (text.endsWith(' BC') || (zone !== '' && space > dateLength)) return null;
    const end = text.length - zoneLength;
    const date = text.slice(0, space);
    const time =
      digits === undefined
        ? text.slice(space + 1, end)
        : withFraction(text, space + 1 + timeLength, end, digits, space + 1);
    return `${date}${separator}${time}${zone}`;
  };
}

/** Returns the number of fraction digits of ISO times. */
export function digitsOf({ timestampMaxPrecision }: TimeOptions): number {
  return timestampMaxPrecision === undefined ? 6 : fractionDigits[timestampMaxPrecision];
}

function withFractionOfZeros(text: string, digits: number | undefined): string {
  return digits ? `${text}.${'0'.repeat(digits)}` : text;
}

/**
 * Returns the text from `start`, whose seconds end at `seconds`. Its fraction is padded or truncated to the given number of digits,
 * never rounded.
 */
function withFraction(text: string, seconds: number, end: number, digits: number, start = 0): string {
  if (digits === 0) return text.slice(start, seconds);
  if (end - seconds - 1 === digits) return text.slice(start, end);
  const fraction = text
    .slice(seconds + 1, end)
    .padEnd(digits, '0')
    .slice(0, digits);
  return `${text.slice(start, seconds)}.${fraction}`;
}
