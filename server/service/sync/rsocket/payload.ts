/** Decodes the contents of frames: JSON or BSON, whichever the client announced. */
import { Double, deserialize, Int32, Long } from 'bson';
import { isJsonObject, type Json, type JsonObject, readJson } from '../../../engine/plan/values/json.ts';
import { mostValues } from '../../http/body.ts';
import { hasMoreBsonValues, hasMoreJsonValues } from '../../http/valueCount.ts';

export type PayloadType = 'application/json' | 'application/bson';

export function isPayloadType(text: string): text is PayloadType {
  return text === 'application/json' || text === 'application/bson';
}

/** The maximum number of values in a SETUP before its token is verified. SDKs send two. */
export const mostSetupValues = 200;

/**
 * Decodes a payload; its numbers stay as they were written. An empty payload becomes an empty object. Returns undefined if the
 * payload cannot be decoded or contains too many values.
 */
export function readPayload(type: PayloadType, bytes: Buffer, most = mostValues): JsonObject | undefined {
  if (bytes.length === 0) return {};
  const hasMore = type === 'application/json' ? hasMoreJsonValues : hasMoreBsonValues;
  if (hasMore(bytes, most)) return undefined;
  try {
    const json = type === 'application/json' ? readJson(decodeText(bytes)) : fromBson(readDocument(bytes));
    return isJsonObject(json) ? json : undefined;
  } catch {
    // Every decoding error is caused by the client's bytes.
    return undefined;
  }
}

function decodeText(bytes: Buffer): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

function readDocument(bytes: Buffer): unknown {
  return deserialize(bytes, { promoteValues: false, promoteBuffers: false, bsonRegExp: true });
}

function fromBson(value: unknown): Json {
  if (value instanceof Int32) return BigInt(value.value);
  if (value instanceof Long) return value.toBigInt();
  if (value instanceof Double) return value.value;
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') return value;
  if (Array.isArray(value)) return value.map(fromBson);
  if (Object.getPrototypeOf(value) === Object.prototype) {
    const object: Record<string, Json> = Object.create(null);
    for (const [key, each] of Object.entries(value)) object[key] = fromBson(each);
    return object;
  }
  throw new TypeError('A value of a BSON type that JSON does not have');
}
