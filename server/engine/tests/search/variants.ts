/** Creates sample values from which functions, casts and patterns may compute a constant, for conditions that cannot be decided. */
import type { Scalar } from './classes.ts';

/** The maximum length of created texts and lists. */
const longest = 40n;

export function variantsOf(constants: readonly Scalar[]): readonly Scalar[] {
  return ['', ...constants.flatMap((each) => (typeof each === 'string' ? ofText(each) : ofNumber(each)))];
}

function ofText(text: string): readonly Scalar[] {
  const filled = text.replaceAll('%', '').replaceAll('_', 'a');
  const wide = text.replaceAll('%', 'x').replaceAll('_', 'a');
  const number = text.trim() !== '' && Number.isFinite(Number(text)) ? [toNumber(text)] : [];
  return [
    ...new Set([filled, wide, text.toUpperCase(), text.toLowerCase(), `${text}x`, `x${text}`, ` ${text} `]),
    ...(/^(?:[0-9a-f]{2})+$/i.test(text) ? [ofHex(text)] : []),
    ...number,
    ...(text.length > 1 ? [text.slice(0, -1), text.slice(1)] : []),
    JSON.stringify([text]),
  ];
}

function toNumber(text: string): Scalar {
  return /^-?\d+$/.test(text.trim()) ? BigInt(text) : Number(text);
}

function ofHex(text: string): string {
  const codes = (text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
  return String.fromCharCode(...codes);
}

function ofNumber(value: Scalar): readonly Scalar[] {
  if (value === null || typeof value === 'string') return [];
  const whole = typeof value === 'bigint' ? value : BigInt(Math.trunc(Number.isFinite(value) ? value : 0));
  const sizes = [whole - 1n, whole, whole + 1n].filter((size) => size >= 0n && size <= longest);
  return [
    String(value),
    ...sizes.map((size) => 'a'.repeat(Number(size))),
    ...sizes.map((size) => JSON.stringify(Array.from({ length: Number(size) }, (_, index) => `x${index}`))),
    ...momentsOf(whole),
    -whole,
    whole * 2n,
    whole + 7n,
  ];
}

/** Returns dates for a number that may be a number of seconds since 1970. */
function momentsOf(seconds: bigint): readonly string[] {
  if (seconds < 100_000_000n || seconds > 100_000_000_000n) return [];
  return [-86_400n, -1n, 0n, 1n, 86_400n].map((step) =>
    new Date(Number(seconds + step) * 1000).toISOString().slice(0, 19).replace('T', ' '),
  );
}
