/** Compares our reading of requests and our writing of lines in BSON with the package `bson`. */
import * as bsonPackage from 'bson';
import { isJsonObject, type Json } from '../../server/engine/plan/values/json.ts';
import { bsonEncoder } from '../../server/service/sync/encode/encoder.ts';
import { readPayload } from '../../server/service/sync/rsocket/payload.ts';
import type { Random } from '../differential/random.ts';
import { changeBytes } from './bytes.ts';
import type { Outcome, Target } from './target.ts';

const { Double, deserialize, Int32, Long, serialize } = bsonPackage;

const documents: readonly object[] = [
  { token: 'Token x', user_agent: 'test' },
  { path: '/sync/stream' },
  {
    buckets: [{ name: '1#lists|0["u"]', after: '12' }],
    include_checksum: true,
    raw_data: true,
    parameters: { n: 1, r: 1.5, big: Long.fromString('9007199254740993'), nothing: null, text: 'é😀' },
    streams: {
      include_defaults: false,
      subscriptions: [{ stream: 's', parameters: null, override_priority: 1 }],
    },
  },
  { __proto__x: 1, a: [[], {}, [1, [2]]], i: new Int32(-1), d: new Double(-0) },
  { when: new Date(0), binary: Buffer.from('ab'), id: new bsonPackage.ObjectId('0123456789abcdef01234567') },
];

const seeds = documents.map((document) => Buffer.from(serialize(document)));

export const bson: Target = {
  name: 'bson',
  seeds,
  mutate: (input, random) =>
    random.chance(0.7) ? mended(changeBytes(input, random), random) : nested(input, random),
  attempt: (input) => {
    const ours = readPayload('application/bson', input);
    const theirs = readAsUsual(input);
    if (ours === undefined) {
      if (theirs === undefined || input.length === 0) return { feature: 'neither' };
      return isPlain(theirs.value)
        ? wrong('ours refuses what bson accepts', theirs.value)
        : { feature: 'other types' };
    }
    if (input.length === 0) return { feature: 'empty' };
    if (theirs === undefined) return wrong('ours accepts what bson refuses', ours);
    const other = differenceOf(ours, theirs.value, '');
    if (other !== undefined) return wrong(`ours reads ${other}`, ours);
    return sentAgain(ours) ?? { feature: `both ${shapeOf(ours)}` };
  },
};

function wrong(what: string, value: unknown): Outcome {
  const text = JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each));
  return { feature: 'wrong', failure: `${what}:\n${text.slice(0, 2_000)}` };
}

function readAsUsual(bytes: Buffer): { readonly value: unknown } | undefined {
  try {
    // First with the default options, as in most programs; then with options that keep the types of the bytes.
    deserialize(bytes);
    return { value: deserialize(bytes, { promoteValues: false, promoteBuffers: false, bsonRegExp: true }) };
  } catch {
    return undefined;
  }
}

/** Whether a value has only types that JSON also has. */
function isPlain(value: unknown): boolean {
  if (value instanceof Int32 || value instanceof Long || value instanceof Double) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  if (typeof value !== 'object' || value === null) return typeof value !== 'function';
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlain);
}

/** Returns the first place where the two values differ. */
function differenceOf(ours: Json, theirs: unknown, place: string): string | undefined {
  if (theirs instanceof Int32) return ours === BigInt(theirs.value) ? undefined : place;
  if (theirs instanceof Long) return ours === theirs.toBigInt() ? undefined : place;
  if (theirs instanceof Double) return Object.is(ours, theirs.value) ? undefined : place;
  if (theirs === undefined || theirs === null) return ours === null ? undefined : place;
  if (Array.isArray(theirs)) {
    if (!Array.isArray(ours) || ours.length !== theirs.length) return place;
    return theirs
      .map((each, i) => differenceOf(ours[i] as Json, each, `${place}[${i}]`))
      .find((found) => found);
  }
  if (typeof theirs !== 'object') return ours === theirs ? undefined : place;
  if (!isJsonObject(ours)) return place;
  const names = Object.keys(theirs);
  if (names.join('\0') !== Object.keys(ours).join('\0')) return `${place} with other keys`;
  return names
    .map((name) =>
      differenceOf(ours[name] as Json, (theirs as Record<string, unknown>)[name], `${place}.${name}`),
    )
    .find((found) => found);
}

/** Checks that a client reads the same data from BSON as from JSON. */
function sentAgain(value: Json): Outcome | undefined {
  const text = JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? Number(each) : each));
  const chunk = { bucket: 'b', after: 0, nextAfter: 1, hasMore: false, texts: [text] };
  const line = deserialize(bsonEncoder.data(chunk as unknown as Parameters<typeof bsonEncoder.data>[0]));
  const back = JSON.stringify(line.data.data[0]);
  return back === text ? undefined : wrong(`what is sent is read as ${back}`, value);
}

function shapeOf(value: Json): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].sort().join()}]`;
  if (isJsonObject(value))
    return `{${[...new Set(Object.values(value).map((each) => shapeOf(each as Json)))].sort().join()}}`;
  return value === null ? 'null' : typeof value;
}

/** Corrects the length at the beginning, so that the reader does not stop there. */
function mended(input: Buffer, random: Random): Buffer {
  if (input.length < 5 || random.chance(0.2)) return input;
  const copy = Buffer.from(input);
  copy.writeInt32LE(copy.length, 0);
  copy[copy.length - 1] = 0;
  return copy;
}

/** Makes the input a value in another document. */
function nested(input: Buffer, random: Random): Buffer {
  const inner = input.subarray(0, 2_048);
  const head = Buffer.from([random.pick([3, 4, 15]), random.pick([48, 97]), 0]);
  const length = Buffer.alloc(4);
  length.writeInt32LE(4 + head.length + inner.length + 1);
  return Buffer.concat([length, head, inner, Buffer.from([0])]);
}
