/** Checks values of enum columns. No row has a value that the enum does not list. */
import { nearest } from '../text/nearest.ts';
import type { CatalogColumn } from './catalog.ts';

interface UnlistedValue {
  readonly column: string;
  readonly value: string;
  readonly listed: string;
  readonly near: string | undefined;
}

/** The maximum length of a list in a message. A longer list would not be read. */
const mostListed = 8;

/** @param name of the column that is compared with the text */
export function unlistedValueIn(
  { values, sourceType = 'text' }: Pick<CatalogColumn, 'values' | 'sourceType'>,
  name: string,
  text: string,
): UnlistedValue | undefined {
  if (values === undefined || ofConstraint.test(sourceType) || values.includes(text)) return undefined;
  const rest = values.length > mostListed ? ', …' : '';
  const listed = values.slice(0, mostListed).map((each) => `\`${each}\``);
  return { column: name, value: text, listed: listed.join(', ') + rest, near: nearest(text, values) };
}

/** Types whose CHECK lists all values. The list may have grown since then, because dropped constraints are not read. */
const ofConstraint = /^(?:text|citext|(?:var|bp)?char\b|character\b|name$)/i;
