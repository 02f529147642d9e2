import { isRange } from '../ground/addresses.ts';
import type { Section } from './section.ts';

export function decodeRanges(section: Section, key: string): readonly string[] {
  const ranges = section.texts(key);
  for (const range of ranges.filter((text) => !isRange(text)))
    section.refuse(`\`${range}\` is no range of addresses such as 10.0.0.0/8, and not \`local\`.`, { key });
  return ranges;
}
