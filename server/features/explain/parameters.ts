/** Explains values from the app, and whether they can be trusted. */
import type { NameSymbol } from '../../engine/names/symbols.ts';
import { code, paragraphs } from './explainFunctions.ts';

type Part = NonNullable<NameSymbol['part']>;

const meanings: Readonly<Record<Part, { readonly what: string; readonly trust: string }>> = {
  auth: {
    what: 'claim of the token',
    trust: '**Signed** with the token, so the client cannot change it.',
  },
  connection: {
    what: 'sent with the connection',
    trust: '**Chosen by the client**, so it proves nothing about the user.',
  },
  subscription: {
    what: 'sent with the subscription to a stream',
    trust: '**Chosen by the client**, so it proves nothing about the user.',
  },
};

/** Returns the trust in a short phrase, for lists. */
export function trustIn(part: Part): string {
  return part === 'auth' ? 'signed by the token' : 'chosen by the client';
}

export function explainParameter(name: string, part: Part, places: number): string {
  const { what, trust } = meanings[part];
  const count = places === 1 ? 'Read only here.' : `Read in ${places} places in this file.`;
  return paragraphs(`**\`${name}\`** · ${what}`, trust, count);
}

/** @param queries the queries that select the parameter */
export function explainBucketParameter(name: string, queries: readonly string[]): string {
  const source =
    queries.length === 0
      ? 'No parameter query selects this parameter.'
      : `Selected by:\n${queries.map((sql) => code(sql.trim())).join('\n')}`;
  return paragraphs(`**\`${name}\`** · parameter of the bucket`, source);
}
