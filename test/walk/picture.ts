/** All answers of a server about its documents, in an order that does not depend on the server. */
import type { Random } from '../consistency/random.ts';
import type { Client } from '../support/editor/client.ts';
import { type Place, requests } from './requests.ts';

/** How often each request is sent for each document, at random places. */
const placesEach = 12;

/** Keys whose values depend on the time of the request and not on the answer. Versions count edits. */
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

/** Whether an error is a message for the user, or the requested cancellation. */
export function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === refused || code === cancelled;
}

const refused = -32600;
const cancelled = -32800;

/** Writes an answer with sorted lists, because places in several files come in the order in which the files were opened. */
function canonical(answer: unknown): string {
  const parts = Array.isArray(answer) ? answer : [answer];
  const texts = parts.map((part) =>
    JSON.stringify(part, (key, value: unknown) => (personal.includes(key) ? undefined : value)),
  );
  return texts.sort().join('\n');
}

/** Returns the requests that the two servers answered differently. */
export function differences(found: Picture, expected: Picture): string[] {
  return Object.keys(expected)
    .filter((key) => found[key] !== expected[key])
    .map((key) => `${key}\n  walked: ${found[key]}\n  fresh:  ${expected[key]}`);
}
