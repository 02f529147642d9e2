/** Writes JSON as a column of type `jsonb` does: with ordered keys, and with blanks only after colons and commas. */
import { isJson, isJsonObject, type Json, readJson } from '../../plan/values/json.ts';
import { toBytes, toLatin } from '../../plan/values/text.ts';
import { compareTexts } from '../../text/order.ts';
import { hasHalfPair, refused, type StoredText, storeText, uncertain } from './storedText.ts';

const quoted = /"(?:[^"\\]|\\.)*"/g;

export function readJsonb(text: string): StoredText {
  if (!isJson(text)) return refused;
  const strings = (text.match(quoted) ?? []).map((each) => JSON.parse(each) as string);
  if (strings.some((each) => each.includes('\0') || hasHalfPair(each))) return refused;
  const numbers = text.replace(quoted, '').match(/[-\d][-+.\deE]*/g) ?? [];
  // A number may lose digits here, and `jsonb` stores no exponents.
  const areExact = numbers.every((each) => String(Number(each)) === each && !each.includes('e'));
  const value = areExact ? readSingleKeys(text) : undefined;
  return value === undefined ? uncertain : storeText(writeJsonb(value));
}

/** Returns undefined if a key has two values. */
function readSingleKeys(text: string): Json | undefined {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

function writeJsonb(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(writeJsonb).join(', ')}]`;
  if (!isJsonObject(value)) return typeof value === 'string' ? JSON.stringify(value) : String(value);
  const pairs = Object.entries(value).map(([key, item]) => ({ key, bytes: toLatin(toBytes(key)), item }));
  return `{${pairs
    .toSorted((a, b) => a.bytes.length - b.bytes.length || compareTexts(a.bytes, b.bytes))
    .map(({ key, item }) => `${JSON.stringify(key)}: ${writeJsonb(item)}`)
    .join(', ')}}`;
}
