/** Reads values that occur in several sections. */
import { isRange } from '../ground/addresses.ts';
import type { Section } from './section.ts';
import type { PortOrigin } from './settings.ts';
import type { ConfigOptions, PortOption } from './surroundings.ts';

/** Returns NaN if the value is not a port. Ports may be strings, because `!env` returns strings. */
export function readPort(value: unknown): number {
  if (typeof value === 'string') return /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  return Number.isInteger(value) ? Number(value) : Number.NaN;
}

/** Reads a positive integer. */
export function decodeCount(section: Section, key: string, usual: number): number {
  const count = section.number(key) ?? usual;
  if (Number.isSafeInteger(count) && count > 0) return count;
  section.refuse(`\`${key}\` must be a whole number above 0.`, { key });
  return usual;
}

export function decodeRanges(section: Section, key: string): readonly string[] {
  const ranges = section.texts(key);
  for (const range of ranges.filter((text) => !isRange(text)))
    section.refuse(`\`${range}\` is neither a range of addresses such as 10.0.0.0/8 nor \`local\`.`, {
      key,
    });
  return ranges;
}

/** Returns the origin of a port from the command line. */
export function portOriginOf(
  name: PortOption,
  { proposed, ...options }: ConfigOptions,
): { readonly portFrom?: PortOrigin } {
  if (options[name] === undefined) return {};
  return { portFrom: proposed?.includes(name) ? 'proposal' : 'option' };
}
