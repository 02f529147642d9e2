/** The encoding of lines that a client reads, one of two. */
export type StreamType = 'application/x-ndjson' | 'application/vnd.powersync.bson-stream';

const jsonLines: StreamType = 'application/x-ndjson';
const bson: StreamType = 'application/vnd.powersync.bson-stream';

/** JSON, unless bson is what the `Accept` header prefers. */
export function streamTypeFor(accept: string | undefined): StreamType {
  const ranges = (accept ?? '*/*').split(',').map(readRange);
  return qualityOf(bson, ranges) > qualityOf(jsonLines, ranges) ? bson : jsonLines;
}

interface Range {
  readonly name: string;
  readonly quality: number;
}

function readRange(text: string): Range {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return { name, quality: quality === undefined ? 1 : Number(quality) || 0 };
}

/** The most specific range counts. */
function qualityOf(type: StreamType, ranges: readonly Range[]): number {
  for (const name of [type, 'application/*', '*/*']) {
    const range = ranges.find((each) => each.name === name);
    if (range !== undefined) return range.quality;
  }
  return 0;
}
