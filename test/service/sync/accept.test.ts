import { expect, test } from 'vitest';
import { streamTypeFor } from '../../../server/service/sync/accept.ts';

const bson = 'application/vnd.powersync.bson-stream';
const json = 'application/x-ndjson';

test.each([
  [undefined, json],
  ['', json],
  ['*/*', json],
  ['application/*', json],
  [json, json],
  [bson, bson],
  [`${bson}, ${json}`, json],
  [`${bson};q=0.9,${json};q=0.8`, bson],
  [`${bson};q=0.8,${json};q=0.9`, json],
  [`${bson};q=1,${json};q=0.5`, bson],
  [`${bson}, ${json};q=1`, json],
  [`${bson}, */*;q=0.1`, bson],
  [`${bson};q=0.1,${bson},${json};q=0.5`, json],
  [`${bson};q=0, */*`, json],
  ['text/html', json],
  [`${bson};q=rubbish`, json],
  [`${bson};q=0.5,${json};q=rubbish`, bson],
])('the Accept header "%s" gets %s', (accept, expected) => {
  expect(streamTypeFor(accept)).toBe(expected);
});
