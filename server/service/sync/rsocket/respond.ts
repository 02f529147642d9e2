/** A stream that was requested over RSocket: its lines are sent as payloads, its end as COMPLETE or ERROR. */
import type { JsonObject } from '../../../engine/plan/values/json.ts';
import { ServiceError } from '../../ground/errors.ts';
import { startAlone } from '../../ground/unattended.ts';
import { mostValues } from '../../http/body.ts';
import type { User } from '../../http/route.ts';
import { connect } from '../connect.ts';
import { bsonEncoder } from '../encode/encoder.ts';
import { problemsInStreamRequest } from '../request.ts';
import { runStream } from '../stream.ts';
import { completeFrame, errorCodes, errorFrame, payloadFrame } from './frames.ts';
import { type PayloadSink, payloadSink } from './payloadSink.ts';
import { rejectionText, toServiceError } from './rejection.ts';
import type { SocketParts, Wire } from './wire.ts';

interface StreamCall {
  readonly user: User;
  /** The stream id, which the client chose. */
  readonly stream: number;
  /** The number of payloads that the client accepts at first. */
  readonly initial: number;
  /** The metadata; undefined if it cannot be decoded. */
  readonly about: JsonObject | undefined;
  readonly body: JsonObject | undefined;
}

export interface OpenStream {
  /** Adds to the number of payloads that the client accepts. */
  grant(count: number): void;
  /** Stops sending. */
  cancel(): void;
  /** Ends the stream normally. */
  end(): Promise<void>;
  readonly ended: Promise<void>;
}

/** The time in milliseconds that a client has after the end of its stream to read the remaining payloads. */
const endPatience = 10_000;

export function openSocketStream(asked: StreamCall, wire: Wire, parts: SocketParts): OpenStream {
  const { clock, log } = parts.world;
  const { stream } = asked;
  const stop = new AbortController();
  let isCancelled = false;
  const sink = payloadSink(asked.initial, (line) => {
    const frame = payloadFrame(stream, line);
    parts.metrics.add('powersync_data_sent_bytes_total', frame.byteLength);
    return wire.write(frame);
  });
  const finish = async (frame: Buffer): Promise<void> => {
    const done = new AbortController();
    startAlone('Ending a stream', async () => {
      await sink.drained();
      if (!isCancelled) await wire.write(frame);
      done.abort();
    });
    await clock.sleep(endPatience, done.signal);
    sink.close();
    if (!done.signal.aborted && !isCancelled) wire.cutOff();
  };
  const run = async (): Promise<void> => {
    try {
      await runRequested(asked, { sink, signal: stop.signal }, parts);
      await finish(completeFrame(stream));
    } catch (error) {
      if (isCancelled) return;
      await finish(errorFrame(stream, errorCodes.application, rejectionText(toServiceError(error, log))));
    }
  };
  const ended = run();
  return {
    grant: sink.grant,
    cancel: () => {
      isCancelled = true;
      stop.abort();
      sink.close();
    },
    end: () => {
      stop.abort();
      return ended;
    },
    ended,
  };
}

async function runRequested(
  { user, about, body }: StreamCall,
  { sink, signal }: { readonly sink: PayloadSink; readonly signal: AbortSignal },
  parts: SocketParts,
): Promise<void> {
  if (about?.path !== '/sync/stream') throw new ServiceError('SVC_S2002', 'The only path is /sync/stream.');
  if (body === undefined)
    throw new ServiceError(
      'SVC_S2001',
      `The request is not an object that can be read, or contains more than ${mostValues} values.`,
    );
  const problems = problemsInStreamRequest(body);
  if (problems.length > 0) throw new ServiceError('SVC_S2001', problems.join(' '));
  const connection = connect({ user, body, served: await parts.served() });
  const stream = { ...connection, transport: 'websocket', encoder: bsonEncoder, signal } as const;
  await new Promise<void>((finish, fail) => runStream(stream, sink, parts, { finish, fail }));
}
