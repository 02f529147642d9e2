/** Converts a value of a test to the one that the source would store and replicate. */
import { classOfType } from '../../ddl/types.ts';
import type { CatalogColumn } from '../../model/catalog.ts';
import { type Json, writeJson } from '../../plan/values/json.ts';
import { oids, toConverter, type ValueOptions } from '../../plan/values/postgres/convert.ts';
import type { Types } from '../../plan/values/postgres/types.ts';
import type { SourceValue } from '../../plan/values/source.ts';
import { refused, type StoredText, storeText, trimSpace, uncertain } from './storedText.ts';
import { type TypeReader, typeReader } from './typeReaders.ts';

type StoredValue =
  | { readonly kind: 'stored'; readonly value: SourceValue }
  /** A column of this type cannot contain the value. */
  | { readonly kind: 'refused' }
  /** The stored form is unknown, for example that of `tomorrow`, or of a readable name in a UUID column. */
  | { readonly kind: 'unknown' };

export function storedValue(
  value: SourceValue,
  column: Pick<CatalogColumn, 'type' | 'sourceType' | 'values'>,
  options: ValueOptions,
): StoredValue {
  const { sourceType, values } = column;
  if (value === null) return { kind: 'stored', value };
  if (sourceType === undefined) return uncertain;
  const element = elementType(sourceType);
  const reader = typeReader(element ?? sourceType);
  if (values !== undefined) {
    if (typeof value === 'object') return uncertain;
    const text = String(value);
    if (!values.includes(text)) return isCompared(column, reader) ? refused : uncertain;
    if (reader === undefined) return { kind: 'stored', value: text };
  }
  if (reader === undefined) return uncertain;
  const read = element === undefined ? readItem(value, reader) : readArray(value, reader);
  if (!('text' in read)) return read;
  const convert = toConverter(element === undefined ? reader.oid : arrayOid, arraysOf(reader), options);
  return { kind: 'stored', value: convert(read.text) };
}

/** Returns the elements of a column of lists, as a column. */
export function listElementOf({ name, sourceType = '' }: CatalogColumn): CatalogColumn {
  const element = elementType(sourceType);
  const type = element === undefined ? undefined : classOfType(element, new Map());
  return { name, ...(type && { type }), ...(element !== undefined && { sourceType: element }) };
}

/** Returns the type of the elements, if it is a type of lists. */
function elementType(type: string): string | undefined {
  return /^(.*?) ?(?:\[\d*\]|\barray\b)/s.exec(type)?.[1];
}

export function isBooleanColumn(column: Pick<CatalogColumn, 'sourceType'> | undefined): boolean {
  return /^bool(?:ean)?$/i.test(column?.sourceType ?? '');
}

/** Whether a text is compared with the listed values character by character. A domain may be of any type. */
function isCompared(
  { type, sourceType = '' }: Pick<CatalogColumn, 'type' | 'sourceType'>,
  reader: TypeReader | undefined,
): boolean {
  const isEnum = reader === undefined && type === 'text' && classOfType(sourceType, new Map()) === undefined;
  return isEnum || /^(?:text|varchar|character varying)\b/.test(sourceType);
}

/** No type of the source has this number. */
const arrayOid = -1;

function arraysOf({ oid }: TypeReader): Types {
  return new Map([[arrayOid, { kind: 'array', name: '', element: oid, delimiter: ',' }]]);
}

/** A number of JavaScript may have lost further digits. */
const exactDigits = 15;

function readItem(value: SourceValue, { oid, read }: TypeReader): StoredText {
  if (typeof value !== 'object') {
    const text = String(value);
    const isInexact = typeof value === 'number' && text.replace(/e.*|\D/g, '').length > exactDigits;
    return isInexact && oid !== oids.float8 ? uncertain : read(text);
  }
  const isJson = oid === oids.json || oid === oids.jsonb;
  if (!isJson && isText(oid)) return uncertain;
  const inside = read(writeJson(value as Json));
  return isJson || inside.kind === 'refused' ? inside : uncertain;
}

/** Whether a type accepts almost every text. */
function isText(oid: number): boolean {
  return oid === oids.text || oid === oids.bytea;
}

const itemForm = /"((?:[^"\\]|\\.)*)"|([^ \t-\r{}",\\]+)/gs;
const listForm =
  /^\{[ \t-\r]*(?:(?:"(?:[^"\\]|\\.)*"|[^ \t-\r{}",\\]+)[ \t-\r]*(?:,[ \t-\r]*(?=[^ \t-\r,}])|(?=\})))*\}$/s;

/** Reads a list of YAML, or one as PostgreSQL writes it: `{a,b}`. A list in JSON is unknown, because clients get it in this form. */
function readArray(value: SourceValue, reader: TypeReader): StoredText {
  if (Array.isArray(value)) return readItems(value, reader);
  const text = typeof value === 'object' ? '' : trimSpace(String(value));
  if (!/^[{[]/.test(text)) return refused;
  if (!listForm.test(text)) return uncertain;
  const items = [...text.matchAll(itemForm)].map(([, quoted, bare = '']) => {
    if (quoted !== undefined) return quoted.replace(/\\(.)/gs, '$1');
    return bare.toLowerCase() === 'null' ? null : bare;
  });
  return readItems(items, reader);
}

function readItems(items: readonly SourceValue[], reader: TypeReader): StoredText {
  const isNested = items.some((item) => Array.isArray(item));
  // All inner lists must have the same length, which is not checked here.
  if (isNested && items.length > 1) return uncertain;
  const texts = items.map((item) => readElement(item, reader));
  const unstored =
    texts.find(({ kind }) => kind === 'refused') ?? texts.find(({ kind }) => kind === 'unknown');
  if (unstored !== undefined) return unstored;
  return storeText(`{${texts.map((each) => ('text' in each ? each.text : '')).join(',')}}`);
}

function readElement(item: SourceValue, reader: TypeReader): StoredText {
  if (item === null) return storeText('NULL');
  if (Array.isArray(item)) return item.length === 0 ? uncertain : readItems(item, reader);
  const read = readItem(item, reader);
  return 'text' in read ? storeText(`"${read.text.replace(/["\\]/g, '\\$&')}"`) : read;
}
