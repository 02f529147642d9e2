/** Reads numbers at the start of a text, and writes numbers as text. */
import { fail } from './failure.ts';

// The pattern has no nested repetition, so matching is linear in the length of the prefix.
const numericPrefix = /^\s*([+-]?)(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?/;
const integerPrefix = /^\s*([+-]?\d+)/;

/** Returns an INTEGER if the longest numeric prefix looks like one, otherwise a REAL; 0 if there is no such prefix. */
export function leadingNumber(text: string): bigint | number {
  const match = numericPrefix.exec(text);
  if (match === null) return 0n;
  const [, sign = '', digits = '', exponent] = match;
  if (exponent === undefined && !digits.includes('.')) return withSign(sign, readInteger(digits));
  return Number(`${sign}${digits}${exponent ?? ''}`);
}

export function leadingInteger(text: string): bigint {
  const digits = integerPrefix.exec(text)?.[1];
  if (digits === undefined) return 0n;
  return readInteger(digits.startsWith('+') ? digits.slice(1) : digits);
}

/** The maximum number of digits, because parsing a number takes more than linear time. */
const mostDigits = 10_000;

export function readInteger(digits: string): bigint {
  return digits.length > mostDigits ? fail('value-too-large') : BigInt(digits);
}

function withSign(sign: string, value: bigint): bigint {
  return sign === '-' ? -value : value;
}

/** Writes a REAL in SQL: `1`, `2.5`, `1e+21`. In JSON, integral ones keep their decimal point (`json.ts`). */
export function realToText(value: number): string {
  return String(value);
}
