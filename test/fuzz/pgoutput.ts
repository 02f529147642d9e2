/** The log messages of a PostgreSQL source, through the parser of `pg` and our decoder. */
import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { root } from '../../scripts/root.ts';
import type { PgType } from '../../server/engine/plan/values/postgres/types.ts';
import { serviceErrorCodes } from '../../server/service/ground/errors.ts';
import { Decoder } from '../../server/service/replication/postgres/log/decoder.ts';
import { openWalReader } from '../../server/service/replication/postgres/log/walMessages.ts';
import type { TypeCatalog } from '../../server/service/replication/postgres/types.ts';
import { type ChangeEvent, SourceFailure } from '../../server/service/replication/source.ts';
import { randomFrom } from '../differential/random.ts';
import { changeFramed, fromFramed } from './framed.ts';
import type { Outcome, Target } from './target.ts';

/** The messages of PostgreSQL 15 for transactions with all kinds of changes and types. */
const recorded = readFileSync(join(root, 'test/fixtures/recordings/pgoutput.bin'));

export const pgoutput: Target = {
  name: 'pgoutput',
  seeds: [recorded],
  mutate: (input, random) => changeFramed(input, random, [recorded]),
  attempt: (input) => {
    const messages = fromFramed(input);
    const whole = decodeAll(messages);
    if (whole.failure !== undefined) return whole;
    const split = decodeAll(throughSocket(messages, splitsFor(input)));
    if (JSON.stringify(split) !== JSON.stringify(whole)) {
      const failure = `other events when it arrives in other pieces:\n${JSON.stringify(split)}\n${JSON.stringify(whole)}`;
      return { feature: 'split', failure };
    }
    return whole;
  },
};

interface DecodeOutcome extends Outcome {
  /** The events as JSON texts. */
  readonly events: readonly string[];
}

/** Decodes the messages until one of them cannot be understood. */
function decodeAll(messages: Iterable<Buffer>): DecodeOutcome {
  const known = new Map<number, PgType>();
  const types: TypeCatalog = {
    get: (oid) => known.get(oid),
    has: (oid) => known.has(oid),
    load: async () => undefined,
    forget: (oid) => known.delete(oid),
  };
  const events: string[] = [];
  const visibility = { began: () => undefined, isKnown: () => true };
  const options = {
    ...({ edition: 3, timestampsIso8601: true, versionedBucketIds: true, fixedJsonExtract: true } as const),
    customPostgresTypes: true,
    sqliteEngine: false,
  };
  const everything = { text: '', wildcard: true };
  const settings = {
    tag: 'default',
    patterns: [{ tag: 'default', schema: everything, name: everything }],
    options,
  };
  const kinds = new Set<string>();
  const emit = (event: ChangeEvent): void => {
    kinds.add(event.kind);
    events.push(JSON.stringify(event, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)));
  };
  const decoder = new Decoder({ types, visibility, settings, emit });
  const reader = openWalReader();
  const decode = (message: Buffer): readonly number[] | undefined => {
    reader.open(message);
    if (message[0] !== data) return undefined;
    reader.skip(header);
    return decoder.decode(reader);
  };
  try {
    for (const message of messages) {
      // The limit is that of the replication, which asks for types once for a relation, and again for a row that does not
      // fit.
      for (let tries = 0; tries < 3; tries += 1) {
        const missing = decode(message);
        if (missing === undefined) break;
        if (tries === 2)
          return { events, feature: 'types', failure: 'the same types are asked for again and again' };
        for (const oid of missing) known.set(oid, { kind: 'base', oid, name: '' });
      }
    }
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    const isCatalogued = (serviceErrorCodes as readonly string[]).includes(error.code);
    if (!isCatalogued) return { events, feature: 'code', failure: `${error.code} is in no catalogue` };
    return {
      events: [...events, error.message],
      feature: `${error.code} ${error.message} ${[...kinds].sort()}`,
    };
  }
  return { events, feature: [...kinds].sort().join(' ') };
}

/** The letter of `XLogData`, and the length of its header: the letter, two positions and a time. */
const data = 119;
const header = 1 + 8 + 8 + 8;

/**
 * Returns the messages as `pg` emits them if the bytes arrive in pieces of these lengths. They are copied, because `pg`
 * soon overwrites its buffers.
 */
function throughSocket(messages: readonly Buffer[], splits: () => number): readonly Buffer[] {
  const stream = Object.assign(new EventEmitter(), {
    setNoDelay: () => {},
    connect: () => {},
    write: () => true,
  });
  const connection = new pg.Connection({ stream: stream as never });
  const received: Buffer[] = [];
  connection.on('copyData', ({ chunk }: { readonly chunk: Buffer }) => received.push(Buffer.from(chunk)));
  (connection as unknown as { attachListeners(stream: unknown): void }).attachListeners(stream);
  const bytes = Buffer.concat(messages.map(copyData));
  for (let at = 0; at < bytes.length; ) {
    const length = splits();
    stream.emit('data', Buffer.from(bytes.subarray(at, at + length)));
    at += length;
  }
  return received;
}

function copyData(message: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write('d');
  head.writeUInt32BE(message.length + 4, 1);
  return Buffer.concat([head, message]);
}

/** Derives the lengths of the pieces from the input alone, so that a failing input fails again. */
function splitsFor(input: Buffer): () => number {
  const random = randomFrom(createHash('sha256').update(input).digest().readUInt32BE(0));
  return () => 1 + random.int(random.chance(0.2) ? 4_000 : 40);
}
