/** The encoding of the lines of a stream, which the client chooses. */
export type StreamType = 'application/x-ndjson' | 'application/vnd.powersync.bson-stream';

const jsonLines: StreamType = 'application/x-ndjson';
const bson: StreamType = 'application/vnd.powersync.bson-stream';

/** Returns the encoding: JSON, unless the `Accept` header prefers BSON. */
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

/** Returns the quality of a type. The most specific range decides. */
function qualityOf(type: StreamType, ranges: readonly Range[]): number {
  for (const name of [type, 'application/*', '*/*']) {
    const range = ranges.find((each) => each.name === name);
    if (range !== undefined) return range.quality;
  }
  return 0;
}
