/**
 * Converts texts of Postgres to values. Converters are created once for each column, because they run for every row.
 *
 * Values that consist of other values become JSON. For ranges and for types that are not built in, this happens only if the config
 * sets `custom_postgres_types`; otherwise, they stay as Postgres writes them.
 */
import type { Options } from '../../../model/definition.ts';
import { quoteJson, writeJson } from '../json.ts';
import type { SqlValue } from '../value.ts';
import { arrayToJson, readFields, readRange, readRanges, UnreadableText } from './texts.ts';
import {
  convertDate,
  digitsOf,
  toTimeConverter,
  toTimestampConverter,
  toTimestampWithZoneConverter,
} from './times.ts';
import { firstUserOid, type PgType, type Types } from './types.ts';

/** A converter. It throws {@link UnreadableText}. */
export type Convert = (text: string) => SqlValue;

export type ValueOptions = Pick<
  Options,
  'timestampsIso8601' | 'timestampMaxPrecision' | 'customPostgresTypes'
>;

export function toConverter(oid: number, types: Types, options: ValueOptions): Convert {
  return formOf(oid, types, options).convert;
}

/**
 * Returns the check whether a text has a part that its value lacks, so that different texts may have equal values: digits of a
 * fraction, a year that configs cannot show, or a value that JSON does not have. Returns undefined if the values of the type are
 * complete.
 */
export function toLossCheck(
  oid: number,
  types: Types,
  options: ValueOptions,
): ((text: string) => boolean) | undefined {
  const type = types.get(oid);
  if (type?.kind === 'domain') return toLossCheck(type.base, types, options);
  if ((type === undefined || type.kind === 'base') && !timeOids.has(oid)) return undefined;
  const digits = options.timestampsIso8601 ? digitsOf(options) : 6;
  const losses = new RegExp(`\\.\\d{${digits + 1}}| BC\\b|infinity|NaN|\\d{5}-|\\\\x`, 'i');
  return (text) => losses.test(text);
}

/** The two forms of a type's values: on their own, and inside JSON. */
interface Form {
  readonly convert: Convert;
  readonly toJson: (text: string) => string;
}

export const oids = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  text: 25,
  oid: 26,
  json: 114,
  float4: 700,
  float8: 701,
  date: 1082,
  time: 1083,
  timestamp: 1114,
  timestamptz: 1184,
  pgLsn: 3220,
  jsonb: 3802,
} as const;

const timeOids: ReadonlySet<number> = new Set([oids.date, oids.time, oids.timestamp, oids.timestamptz]);

function formOf(oid: number, types: Types, options: ValueOptions): Form {
  const type = types.get(oid);
  if (type === undefined || !isStructured(type, types, options)) return scalarForm(oid, options);
  switch (type.kind) {
    case 'array':
      return arrayForm(type, types, options);
    case 'domain':
      return formOf(type.base, types, options);
    case 'composite':
      return compositeForm(type, types, options);
    case 'range':
      return rangeForm(type, types, options);
    case 'multirange':
      return multirangeForm(type, types, options);
    default:
      return scalarForm(oid, options);
  }
}

function isStructured(type: PgType, types: Types, options: ValueOptions): boolean {
  if (options.customPostgresTypes) return true;
  if (type.kind !== 'array') return false;
  const element = types.get(type.element);
  return element === undefined || (element.kind === 'base' && element.oid < firstUserOid);
}

function scalarForm(oid: number, options: ValueOptions): Form {
  const convert = scalarConverter(oid, options);
  switch (oid) {
    case oids.json:
    case oids.jsonb:
      return { convert, toJson: (text) => text };
    case oids.bytea:
      return { convert, toJson: () => 'null' };
    default:
      return {
        convert,
        toJson: convert === asText ? quoteJson : (text) => writeJson(convert(text) as never),
      };
  }
}

function scalarConverter(oid: number, options: ValueOptions): Convert {
  switch (oid) {
    case oids.bool:
      return (text) => (text === 't' ? 1n : 0n);
    case oids.int2:
    case oids.int4:
    case oids.int8:
    case oids.oid:
      return toInteger;
    case oids.float4:
    case oids.float8:
      return Number;
    case oids.bytea:
      return readBytes;
    case oids.date:
      return convertDate;
    case oids.time:
      return toTimeConverter(options);
    case oids.timestamp:
      return toTimestampConverter(options);
    case oids.timestamptz:
      return toTimestampWithZoneConverter(options);
    case oids.pgLsn:
      return padLsn;
    default:
      return asText;
  }
}

/** Pads a position with zeros, so that positions sort as texts. PostgreSQL writes `16/B374D848` without leading zeros. */
function padLsn(text: string): string {
  return text.replace(/[^/]+/g, (half) => half.padStart(8, '0'));
}

/** Reads bytes such as `\x00ff`. */
export function readBytes(text: string): Uint8Array {
  const bytes = new Uint8Array((text.length - '\\x'.length) / 2);
  for (let at = 0; at < bytes.length; at += 1)
    bytes[at] = (digitAt(text, 2 * at + 2) << 4) | digitAt(text, 2 * at + 3);
  return bytes;
}

/** Returns the value of a hexadecimal digit, whose character code is 0x39 for `9`, 0x61 for `a` and 0x41 for `A`. */
function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return (code & 15) + 9 * (code >> 6);
}

function toInteger(text: string): bigint {
  try {
    return BigInt(text);
  } catch {
    throw new UnreadableText('is not a whole number');
  }
}

function asText(text: string): string {
  return text;
}

type Kind<Name extends PgType['kind']> = PgType & { readonly kind: Name };

function arrayForm({ element, delimiter }: Kind<'array'>, types: Types, options: ValueOptions): Form {
  const { toJson } = formOf(element, types, options);
  return jsonForm((text) => arrayToJson(text, delimiter, toJson));
}

function compositeForm({ name, fields }: Kind<'composite'>, types: Types, options: ValueOptions): Form {
  const members = fields.map((field) => ({
    key: JSON.stringify(field.name),
    toJson: formOf(field.type, types, options).toJson,
  }));
  return jsonForm((text) => {
    const values = readFields(text);
    if (values.length !== members.length && text !== '()') {
      throw new UnreadableText(`has ${values.length} fields, but the type ${name} has ${members.length}`);
    }
    const pairs = members.map(({ key, toJson }, at) => `${key}:${orNull(values[at], toJson)}`);
    return `{${pairs.join(',')}}`;
  });
}

/** Returns the form of a range. The empty range has no bounds and stays the text `empty`. */
function rangeForm({ of }: Kind<'range'>, types: Types, options: ValueOptions): Form {
  const { toJson } = formOf(of, types, options);
  const write = (text: string): string | undefined => {
    const range = readRange(text);
    if (range === undefined) return undefined;
    const { lower, upper, lowerExclusive, upperExclusive } = range;
    const bounds = `"lower":${orNull(lower, toJson)},"upper":${orNull(upper, toJson)}`;
    return `{${bounds},"lower_exclusive":${Number(lowerExclusive)},"upper_exclusive":${Number(upperExclusive)}}`;
  };
  return { convert: (text) => write(text) ?? text, toJson: (text) => write(text) ?? quoteJson(text) };
}

function multirangeForm({ of }: Kind<'multirange'>, types: Types, options: ValueOptions): Form {
  const { toJson } = formOf(of, types, options);
  return jsonForm((text) => `[${readRanges(text).map(toJson).join(',')}]`);
}

function jsonForm(write: (text: string) => string): Form {
  return { convert: write, toJson: write };
}

function orNull(text: string | null | undefined, toJson: (text: string) => string): string {
  return text === null || text === undefined ? 'null' : toJson(text);
}
