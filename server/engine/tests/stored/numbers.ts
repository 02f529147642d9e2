/** Reads numbers as PostgreSQL does. */
import { type Modifiers, refused, type StoredText, storeText, trimSpace, uncertain } from './storedText.ts';

/** The maximum number of digits, because reading them takes more than linear time. */
const mostDigits = 1_000;

export function integerReader(bits: number): (text: string) => StoredText {
  return (text) => {
    const digits = trimSpace(text);
    if (!/^[+-]?\d+$/.test(digits)) return isNewForm(digits) ? uncertain : refused;
    if (digits.length > mostDigits) return uncertain;
    const number = BigInt(digits);
    return number === BigInt.asIntN(bits, number) ? storeText(String(number)) : refused;
  };
}

/** Whether only newer versions read the text: hexadecimal digits, and underscores between digits. */
function isNewForm(text: string): boolean {
  return /^[+-]?0[xob]|_/i.test(text);
}

/** Reads `float(24)`, whose modifier is a number of bits. */
export function readFloat(text: string, [bits = 53]: Modifiers): StoredText {
  return bits <= 24 ? readSingle(text) : readDouble(text);
}

export function readDouble(text: string): StoredText {
  const word = trimSpace(text);
  if (/^nan$/i.test(word)) return storeText('NaN');
  if (/^[+-]?inf(?:inity)?$/i.test(word)) return storeText(word.startsWith('-') ? '-Infinity' : 'Infinity');
  if (!isDecimal(word)) return /^[+-]?(?:0x|nan)/i.test(word) ? uncertain : refused;
  const number = Number(word);
  if (!Number.isFinite(number) || (number === 0 && /[1-9]/.test(mantissaOf(word)))) return refused;
  return storeText(Object.is(number, -0) ? '-0' : String(number));
}

/** Reads a number of 32 bits. PostgreSQL writes it as it was written, if it is not too long, too large or too small. */
export function readSingle(text: string): StoredText {
  const read = readDouble(text);
  const size = 'text' in read ? Math.abs(Number(read.text)) : Number.NaN;
  if (!Number.isFinite(size) || size === 0) return read;
  const single = Math.fround(size);
  if (single === 0 || single === Number.POSITIVE_INFINITY) return refused;
  const digits = mantissaOf(text)
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '');
  return digits.length <= 6 && size > 1e-37 && size < 2 ** 24 ? read : uncertain;
}

function mantissaOf(text: string): string {
  return text.replace(/e.*/i, '');
}

const decimal = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i;

function isDecimal(text: string): boolean {
  return /^[+-]?\.?\d/.test(text) && decimal.test(text);
}

/** Writes a number with all its digits. A column with a precision rounds half away from zero. */
export function readNumeric(text: string, [precision, scale = 0]: Modifiers): StoredText {
  const word = trimSpace(text);
  if (/^nan$/i.test(word)) return storeText('NaN');
  // The older versions do not store infinity.
  if (/^[+-]?inf(?:inity)?$/i.test(word)) return precision === undefined ? uncertain : refused;
  const [, sign, whole = '', fraction = '', power = '0'] = (isDecimal(word) && decimal.exec(word)) || [];
  if (sign === undefined) return isNewForm(word) ? uncertain : refused;
  const exponent = Number(power);
  if (word.length > mostDigits || Math.abs(exponent) > mostDigits) return uncertain;
  const places = fraction.length - exponent;
  const digits = BigInt(whole + fraction + '0'.repeat(Math.max(0, -places)));
  if (precision === undefined) return storeText(writeDecimal(sign, digits, Math.max(0, places)));
  // The older versions have no such scale.
  if (scale < 0 || scale > precision) return uncertain;
  const rounded = roundTo(digits, Math.max(0, places), scale);
  return rounded < 10n ** BigInt(precision) ? storeText(writeDecimal(sign, rounded, scale)) : refused;
}

/** @param places the number of the digits after the decimal point */
function roundTo(digits: bigint, places: number, scale: number): bigint {
  if (places <= scale) return digits * 10n ** BigInt(scale - places);
  const divisor = 10n ** BigInt(places - scale);
  return (digits * 2n + divisor) / (divisor * 2n);
}

function writeDecimal(sign: string, digits: bigint, places: number): string {
  const all = String(digits).padStart(places + 1, '0');
  const written = places === 0 ? all : `${all.slice(0, -places)}.${all.slice(-places)}`;
  return sign === '-' && digits > 0n ? `-${written}` : written;
}
