/** Converts a value of a test to the one that the source would store and replicate. */
import { classOfType } from '../ddl/types.ts';
import type { CatalogColumn } from '../model/catalog.ts';
import { type Json, readJson, writeJson } from '../plan/values/json.ts';
import { readBytes, toConverter, type ValueOptions } from '../plan/values/postgres/convert.ts';
import { arrayToJson } from '../plan/values/postgres/texts.ts';
import type { Types } from '../plan/values/postgres/types.ts';
import { type SourceValue, toSqlValue } from '../plan/values/source.ts';

/**
 * Returns undefined if a column of this type cannot contain the value. A value whose stored form is unknown stays as it is, such as
 * `tomorrow`, or a readable name in a UUID column.
 */
export function storedValue(
  value: SourceValue,
  column: Pick<CatalogColumn, 'type' | 'sourceType' | 'values'>,
  options: ValueOptions,
): SourceValue | undefined {
  const type = column.sourceType?.toLowerCase();
  if (value === null || type === undefined) return value;
  if (/\[|\barray\b/.test(type)) return storedArray(value, type, options);
  if (isBooleanColumn(column)) return storedBoolean(value);
  if (/^jsonb?$/.test(type)) return storedJson(value);
  if (typeof value === 'object') return value;
  const text = String(value);
  if (notFinite.test(text) && /^(?:numeric|decimal|real|double|float)/.test(type)) return value;
  if (/^(?:numeric|decimal)\b/.test(type)) return storedNumeric(text, type);
  if (column.type === 'integer') return /^\s*[+-]?\d+\s*$/.test(text) ? BigInt(text) : undefined;
  if (column.type === 'real') return isNumber(text) ? Number(text) : undefined;
  if (column.type === 'blob')
    return text.startsWith('\\x') ? readBytes(text) : new TextEncoder().encode(text);
  if (column.type !== 'text') return value;
  if (column.values !== undefined) return column.values.includes(text) ? text : undefined;
  if (type === 'uuid') return isUuid.test(text) ? text.toLowerCase().replace(/[{}]/g, '') : text;
  if (/^(?:date|time)/.test(type))
    return typeof value === 'string' ? storedTime(text, type, options) : undefined;
  const [, length] = /^(?:bpchar|char|character)(?:\((\d+)\))?$/.exec(type) ?? [];
  return length === undefined ? text : text.padEnd(Number(length));
}

export function isBooleanColumn(column: Pick<CatalogColumn, 'sourceType'> | undefined): boolean {
  return /^bool(?:ean)?$/i.test(column?.sourceType ?? '');
}

const isUuid = /^\{?[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\}?$/i;

const notFinite = /^(?:nan|[+-]?inf(?:inity)?)$/i;

function isNumber(text: string): boolean {
  return /\d/.test(text) && !Number.isNaN(Number(text));
}

function storedBoolean(value: SourceValue): SourceValue | undefined {
  const text = String(value).toLowerCase();
  if (['true', 't', 'yes', 'y', 'on', '1'].includes(text)) return 1n;
  return ['false', 'f', 'no', 'n', 'off', '0'].includes(text) ? 0n : undefined;
}

function storedJson(value: SourceValue): SourceValue | undefined {
  if (typeof value !== 'string') return writeJson(value as Json);
  return jsonIn(value) === undefined ? undefined : value;
}

function jsonIn(text: string): Json | undefined {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

/** Reads an array as a YAML list, as JSON, or as PostgreSQL writes it: `{a,b}`. */
function storedArray(value: SourceValue, type: string, options: ValueOptions): SourceValue | undefined {
  const sourceType = type.replace(/\s*(?:\[\d*\]|\barray\b).*$/, '');
  const elementType = classOfType(sourceType, new Map());
  const column = { sourceType, ...(elementType && { type: elementType }) };
  const element = (item: SourceValue): Json =>
    toSqlValue(storedValue(item, column, options) ?? item, options) as Json;
  if (Array.isArray(value)) return writeJson(value.map((item: SourceValue) => element(item)));
  if (typeof value !== 'string') return undefined;
  const list = value.startsWith('[') ? jsonIn(value) : undefined;
  if (Array.isArray(list)) return storedArray(list, type, options);
  try {
    return arrayToJson(value, ',', (item) => writeJson(element(item)));
  } catch {
    return undefined;
  }
}

function storedNumeric(text: string, type: string): SourceValue | undefined {
  if (!isNumber(text)) return undefined;
  const [, scale] = /\(\s*\d+\s*(?:,\s*(\d+)\s*)?\)/.exec(type) ?? [];
  // More digits would not be exact as a number of JavaScript.
  if (!/\(/.test(type) || text.replaceAll(/\D/g, '').length > 15) return text.trim();
  return Number(text).toFixed(Number(scale ?? 0));
}

const noTypes: Types = new Map();

/** Reads a date or time with the parts that ISO 8601 requires. Without a zone, a moment is in UTC. */
function storedTime(text: string, type: string, options: ValueOptions): SourceValue {
  const [, date, clock, zone] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:\s*(Z|[+-]\d\d(?::?\d\d)?))?)?$/i.exec(
      text,
    ) ?? [];
  if (date === undefined) return text;
  if (type === 'date') return date;
  if (!/^(?:datetime|timestamp)/.test(type)) return text;
  const whole = (clock ?? '00:00:00').replace(/^(\d\d:\d\d)$/, '$1:00');
  const fraction = /\.\d+$/.exec(whole)?.[0].replace(/\.?0+$/, '') ?? '';
  const time = whole.replace(/\.\d+$/, '');
  if (!/tz|with time zone/.test(type))
    return toConverter(1114, noTypes, options)(`${date} ${time}${fraction}`);
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d):?(\d\d)?/.exec(zone ?? '') ?? [];
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  const moment = new Date(Date.parse(`${date}T${time}Z`) - offset * 60_000);
  if (Number.isNaN(moment.getTime())) return text;
  const [day = '', inUtc = ''] = moment.toISOString().slice(0, 19).split('T');
  return toConverter(1184, noTypes, options)(`${day} ${inUtc}${fraction}+00`);
}
