/** Lines as BSON documents, one after the other: each begins with its own length. */
import { serialize } from 'bson';
import type { Encoder } from './encoder.ts';

export const bsonEncoder: Encoder = {
  name: 'bson',
  line: (line) => serialize(line, { ignoreUndefined: true }),
  data: ({ bucket, after, nextAfter, hasMore, texts }) => {
    const data = JSON.parse(`[${texts.join(',')}]`) as unknown;
    return serialize({
      data: { bucket, after: String(after), has_more: hasMore, data, next_after: String(nextAfter) },
    });
  },
};
