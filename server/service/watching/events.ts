/** Streams lines to each watcher: first the full state, then changes as they happen, and numbers each second. */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../ground/world.ts';
import type { Call, Reply } from '../http/route.ts';
import { streamFinisher, streamHead } from '../http/streamEnd.ts';
import type { ConnectedClient } from '../sync/clients.ts';
import { type ClientPictures, openClientPictures } from './clientPictures.ts';
import { describeEvent, type EventLog } from './eventLog.ts';
import { describeSample, type Samples, type ServiceSecond } from './samples.ts';

export interface EventParts {
  readonly history: Pick<Samples, 'seconds'>;
  readonly timeline: EventLog;
  readonly clients: () => readonly ConnectedClient[];
  /** Returns the last operation that clients may have, or undefined if there is none. */
  readonly head: () => number | undefined;
  /** Adds a listener, which is called soon after the head has changed. */
  readonly watchHead: (listener: () => void) => () => void;
  /** Adds a listener, which is called each second. */
  readonly watchSeconds: (listener: (second: ServiceSecond) => void) => () => void;
  readonly version: string;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

export async function answerEvents(
  parts: EventParts,
  { response, head, signal, mayStay }: Call,
): Promise<Reply> {
  response.writeHead(200, {
    ...head,
    'Content-Type': 'application/x-ndjson',
    ...streamHead,
  });
  const finish = streamFinisher(response, () => void response.end(), parts.clock);
  const pictures = openClientPictures(parts.clients, parts.clock);
  const lines = openLines(response, () => pictureOf(parts, pictures));
  const over = new AbortController();
  const stops = [
    parts.timeline.watch((happening) =>
      lines.write({ kind: 'happening', happening: describeEvent(happening) }),
    ),
    parts.watchHead(() => {
      // If the watcher is behind, the next second reports the position.
      if (!lines.isBehind()) lines.write({ kind: 'checkpoint', ...headOf(parts) });
    }),
    parts.watchSeconds((second) => {
      if (!mayStay()) return over.abort();
      lines.write({ kind: 'second', second: describeSample(second), ...countsOf(parts) });
      const news = lines.isBehind() ? undefined : pictures.news();
      if (news !== undefined) lines.write({ kind: 'clients', ...news });
    }),
  ];
  const left = AbortSignal.any([signal, over.signal]);
  await new Promise<void>((resolve) => {
    if (left.aborted) return resolve();
    left.addEventListener('abort', () => resolve(), { once: true });
  });
  for (const stop of stops) stop();
  finish();
  return { written: true };
}

function pictureOf(parts: EventParts, pictures: ClientPictures): object {
  const { history, timeline, version, clock } = parts;
  return {
    kind: 'picture',
    at: new Date(clock.now()).toISOString(),
    version,
    seconds: history.seconds().map(describeSample),
    timeline: timeline.all().map(describeEvent),
    clients: pictures.picture(),
    ...countsOf(parts),
  };
}

function countsOf(parts: EventParts): object {
  return { client_count: parts.clients().length, ...headOf(parts) };
}

function headOf({ head }: Pick<EventParts, 'head'>): object {
  const last = head();
  return last === undefined ? {} : { last_op_id: String(last) };
}

interface Lines {
  readonly write: (line: object) => void;
  readonly isBehind: () => boolean;
}

/**
 * Opens the lines of one watcher, which begin with the full state. A slow reader misses some lines and then gets the full state
 * again, because lines are not buffered.
 */
function openLines(response: ServerResponse, picture: () => object): Lines {
  let isBehind = false;
  const send = (line: object): void => {
    if (response.destroyed || response.write(`${JSON.stringify(line)}\n`)) return;
    isBehind = true;
    response.once('drain', () => {
      isBehind = false;
      if (misses) {
        misses = false;
        send(picture());
      }
    });
  };
  let misses = false;
  send(picture());
  return {
    isBehind: () => isBehind,
    write: (line) => {
      if (isBehind) misses = true;
      else send(line);
    },
  };
}
