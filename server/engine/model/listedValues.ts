/** Columns of an enum: no row has a value that the enum does not list. */
import { nearest } from '../text/nearest.ts';
import type { CatalogColumn } from './catalog.ts';

interface UnlistedValue {
  readonly column: string;
  readonly value: string;
  readonly listed: string;
  readonly near: string | undefined;
}

/** Longer lists are not read. */
const mostListed = 8;

/** @param name of the column where the text stands */
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

/** Types whose CHECK lists all values. The list may have grown since, because dropped constraints are not read. */
const ofConstraint = /^(?:text|citext|(?:var|bp)?char\b|character\b|name$)/i;
