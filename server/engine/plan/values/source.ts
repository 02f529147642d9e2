/**
 * Values as replication delivers them, and their conversion for a config. Dates and structured values keep their original form
 * until the options of a config are applied, so two configs that run side by side may show the same row differently.
 */
import type { Options, TimePrecision } from '../../model/definition.ts';
import { type Json, writeJson } from './json.ts';
import type { SqlValue } from './value.ts';

/**
 * A value of the source. All numbers are REAL, including whole ones; integers arrive as bigint. Arrays and objects become JSON
 * text.
 */
export type SourceValue =
  | SqlValue
  | boolean
  | SourceTime
  | readonly SourceValue[]
  | { readonly [key: string]: SourceValue };

export type SourceRow = Readonly<Record<string, SourceValue>>;

/** A moment or a time of day. Created by {@link dateTime} and {@link timeOfDay}. */
class SourceTime {
  /** The ISO text: `2024-01-02T03:04:05.123456Z`, without a zone if the value has none, or `03:04:05.123456`. */
  readonly iso: string;
  /** The text for configs without ISO timestamps. */
  readonly legacy: string;
  /** The precision that the source stores. */
  readonly precision: TimePrecision;
  /** The precision that is shown without the option, if it is lower than that of the source. */
  readonly shown: TimePrecision;

  constructor(iso: string, legacy: string, precision: TimePrecision, shown: TimePrecision) {
    this.iso = iso;
    this.legacy = legacy;
    this.precision = precision;
    this.shown = shown;
  }
}

interface TimeForm {
  readonly precision: TimePrecision;
  readonly shown?: TimePrecision;
  /** The text for configs without ISO timestamps. Absent: the ISO text with a blank instead of its `T`. */
  readonly legacy?: string;
}

export function dateTime(iso: string, form: TimeForm): SourceTime {
  return new SourceTime(
    iso,
    form.legacy ?? iso.replace('T', ' '),
    form.precision,
    form.shown ?? form.precision,
  );
}

export function timeOfDay(iso: string, form: TimeForm): SourceTime {
  return dateTime(iso, form);
}

export type TimeOptions = Pick<Options, 'timestampsIso8601' | 'timestampMaxPrecision'>;

export function toSqlRow(row: SourceRow, options: TimeOptions): Readonly<Record<string, SqlValue>> {
  const converted: Record<string, SqlValue> = Object.create(null);
  for (const name of Object.keys(row)) converted[name] = toSqlValue(row[name] as SourceValue, options);
  return converted;
}

export function toSqlValue(value: SourceValue, options: TimeOptions): SqlValue {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value;
  if (value instanceof SourceTime) return timeText(value, options);
  return writeJson(toJson(value, options));
}

/** Converts a value inside a structure to JSON. Booleans become 1 and 0, and binary values become null. */
function toJson(value: SourceValue, options: TimeOptions): Json {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Uint8Array) return null;
  if (value instanceof SourceTime) return timeText(value, options);
  if (Array.isArray(value)) return value.map((item: SourceValue) => toJson(item, options));
  const object: Record<string, Json> = Object.create(null);
  for (const [key, item] of Object.entries(value)) object[key] = toJson(item, options);
  return object;
}

const digitsOf: Record<TimePrecision, number> = {
  seconds: 0,
  milliseconds: 3,
  microseconds: 6,
  nanoseconds: 9,
};

/** Writes a time. Fractions are padded to the source's number of digits, or truncated; they are never rounded. */
function timeText(time: SourceTime, options: TimeOptions): string {
  if (!options.timestampsIso8601) return time.legacy;
  const wanted = options.timestampMaxPrecision ?? time.shown;
  const digits = Math.min(digitsOf[wanted], digitsOf[time.precision]);
  const [, head = time.iso, fraction = '', zone = ''] =
    /^(.*?\d:\d\d:\d\d)(?:\.(\d+))?(\D.*)?$/.exec(time.iso) ?? [];
  return digits === 0 ? head + zone : `${head}.${fraction.padEnd(digits, '0').slice(0, digits)}${zone}`;
}
