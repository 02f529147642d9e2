import type { Section } from './section.ts';

/** NaN for what is no port. Ports may be text, because that is what `!env` gives. */
export function readPort(value: unknown): number {
  if (typeof value === 'string') return /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  return Number.isInteger(value) ? Number(value) : Number.NaN;
}

/** A positive whole number. */
export function decodeCount(section: Section, key: string, usual: number): number {
  const count = section.number(key) ?? usual;
  if (Number.isSafeInteger(count) && count > 0) return count;
  section.refuse(`\`${key}\` must be a whole number above 0.`, { key });
  return usual;
}
