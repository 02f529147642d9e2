/** All that a server says of its documents, in an order of its own. */
import type { Random } from '../consistency/random.ts';
import type { Client } from '../support/editor/client.ts';
import { type Place, requests } from './requests.ts';

/** Of each document, besides what is asked once for the whole of it. */
const placesEach = 12;

/** Distinguished by when they were asked, not by what they say. Versions count edits. */
const personal = ['data', 'resultId', 'version'];

export type Picture = Readonly<Record<string, string>>;

export async function pictureOf(client: Client, places: readonly Place[], random: Random): Promise<Picture> {
  const picture: Record<string, string> = {};
  for (const place of places)
    for (const [method, paramsOf] of Object.entries(requests))
      for (let round = 0; round < placesEach; round++) {
        if (method === 'completionItem/resolve') continue;
        const params = paramsOf(place, random);
        const answer = await client.request(method, params).catch((error: unknown) => {
          if (isRefusal(error)) return `${error}`;
          throw error;
        });
        picture[`${method} ${JSON.stringify(params)}`] = canonical(answer);
      }
  return picture;
}

/** A sentence for the user, or what was asked for. */
export function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === refused || code === cancelled;
}

const refused = -32600;
const cancelled = -32800;

/** Lists of places in several files come in the order in which these were opened. */
function canonical(answer: unknown): string {
  const parts = Array.isArray(answer) ? answer : [answer];
  const texts = parts.map((part) =>
    JSON.stringify(part, (key, value: unknown) => (personal.includes(key) ? undefined : value)),
  );
  return texts.sort().join('\n');
}

/** What the two do not agree on. */
export function differences(found: Picture, expected: Picture): string[] {
  return Object.keys(expected)
    .filter((key) => found[key] !== expected[key])
    .map((key) => `${key}\n  walked: ${found[key]}\n  fresh:  ${expected[key]}`);
}
