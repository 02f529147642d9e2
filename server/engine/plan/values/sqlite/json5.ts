/**
 * Reads JSON as SQLite does, which accepts JSON5: comments, trailing commas, unquoted keys, single quotes, hexadecimal numbers and
 * similar notations. It also accepts some notations that JSON5 does not have, such as `nan` and `inf`.
 */
import { fail, type RuntimeCode } from '../failure.ts';
import { isJson, type Json, readJson, writeJson } from '../json.ts';
import { readInteger } from '../numbers.ts';

/** Reads a document. Most documents are strict JSON, whose parser is faster. */
export function readJson5(text: string, failure: RuntimeCode = 'invalid-json'): Json {
  return isJson(text) ? readJson(text, failure) : readAll(text, failure);
}

interface Reader {
  readonly text: string;
  readonly failure: RuntimeCode;
  at: number;
}

function readAll(text: string, failure: RuntimeCode): Json {
  const reader: Reader = { text, failure, at: 0 };
  const value = readValue(reader, 0);
  skip(reader);
  return reader.at < text.length ? invalid(reader) : value;
}

function invalid({ failure }: Reader): never {
  return fail(failure);
}

/** The maximum depth, which is SQLite's own limit. */
const deepestJson = 1_000;

const gap = /(?:\s|\/\*.*?\*\/|\/\/[^\n\r\u2028\u2029]*)*/sy;

function skip(reader: Reader): void {
  take(reader, gap);
}

/** Moves past the match of a sticky pattern, and returns it. */
function take(reader: Reader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reader.at;
  const match = pattern.exec(reader.text);
  if (match !== null) reader.at = pattern.lastIndex;
  return match;
}

function takes(reader: Reader, symbol: string): boolean {
  skip(reader);
  if (reader.text[reader.at] !== symbol) return false;
  reader.at += 1;
  return true;
}

function readValue(reader: Reader, depth: number): Json {
  if (depth > deepestJson) invalid(reader);
  if (takes(reader, '{')) return readObject(reader, depth + 1);
  if (takes(reader, '[')) return readArray(reader, depth + 1);
  const quote = reader.text[reader.at];
  if (quote === '"' || quote === "'") return readString(reader);
  const word = readWord(reader);
  return word === undefined ? readNumber(reader) : word;
}

function readArray(reader: Reader, depth: number): Json {
  const items: Json[] = [];
  while (!takes(reader, ']')) {
    items.push(readValue(reader, depth));
    if (takes(reader, ',')) continue;
    if (takes(reader, ']')) break;
    invalid(reader);
  }
  return items;
}

function readObject(reader: Reader, depth: number): Json {
  const object: Record<string, Json> = Object.create(null);
  while (!takes(reader, '}')) {
    const key = readKey(reader);
    if (!takes(reader, ':')) invalid(reader);
    const value = readValue(reader, depth);
    // Two different values of one key contradict each other, as in strict JSON.
    if (key in object && writeJson(object[key] as Json) !== writeJson(value)) invalid(reader);
    object[key] = value;
    if (takes(reader, ',')) continue;
    if (takes(reader, '}')) break;
    invalid(reader);
  }
  return object;
}

const identifier = /(?:[\w$\x80-\uffff]|\\u[0-9a-fA-F]{4})+/y;

function readKey(reader: Reader): string {
  skip(reader);
  const quote = reader.text[reader.at];
  if (quote === '"' || quote === "'") return readString(reader);
  const name = take(reader, identifier)?.[0];
  if (name === undefined || /^\d/.test(name)) return invalid(reader);
  return name.replace(/\\u(....)/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)));
}

const quoted = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/sy;
const escaped = /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|\r\n|(.))/gs;

function readString(reader: Reader): string {
  const match = take(reader, quoted);
  if (match === null) return invalid(reader);
  const inside = match[1] ?? match[2] ?? '';
  return inside.replace(escaped, (_, unit?: string, byte?: string, simple?: string, at = 0) => {
    const digits = unit ?? byte;
    if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16));
    if (simple === undefined) return '';
    if (simple === '0' && /\d/.test(inside[at + 2] ?? '')) return invalid(reader);
    return escapes[simple] ?? invalid(reader);
  });
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '0': '\0',
  // A backslash before a line break continues the text in the next line.
  '\n': '',
  '\r': '',
  '\u2028': '',
  '\u2029': '',
};

const words = /(?:true|false|null|[qs]?nan|[+-]?inf(?:inity)?)(?![\w$])/iy;

/** Reads a word. SQLite reads `NaN` as null. The words of JSON must be in lower case, and the others may be in any case. */
function readWord(reader: Reader): Json | undefined {
  const start = reader.at;
  const found = take(reader, words)?.[0] ?? '';
  if (/inf/i.test(found)) return found.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (found === 'null' || /nan/i.test(found)) return null;
  if (found === 'true' || found === 'false') return found === 'true';
  reader.at = start;
  return undefined;
}

const number = /([+-]?)(?:0[xX]([0-9a-fA-F]+)|((?:0|[1-9]\d*)(\.\d*)?|\.\d+)([eE][+-]?\d+)?)(?![\w$.])/y;

function readNumber(reader: Reader): Json {
  const match = take(reader, number);
  if (match === null) return invalid(reader);
  const [, sign = '', hexadecimal, decimal = '', , exponent] = match;
  if (hexadecimal !== undefined) {
    const value = readInteger(`0x${hexadecimal}`);
    return sign === '-' ? -value : value;
  }
  const whole = exponent === undefined && !decimal.includes('.');
  if (!whole) return Number(`${sign}${decimal}${exponent ?? ''}`);
  const value = readInteger(decimal);
  return sign === '-' ? -value : value;
}
