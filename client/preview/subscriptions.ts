/** Reads subscriptions as people type them, and completes them while they type. */
import type { Subscription } from '../api/synced.ts';
import { t } from '../l10n.ts';
import { objectIn, type ReadResult, read, wrong } from './who.ts';

/** Reads subscriptions such as `notes, todos {"list": "1"}`, or one object such as `{"todos": {"list": "1"}, "notes": null}`. */
export function readSubscriptions(text: string): ReadResult<readonly Subscription[]> {
  const given = text.trim();
  return given.startsWith('{') ? readMap(given) : readList(given);
}

/** Writes subscriptions in the form in which they are read. */
export function writeSubscriptions(subscriptions: readonly Subscription[]): string {
  return subscriptions
    .map(({ stream, parameters }) =>
      parameters === null ? stream : `${stream} ${JSON.stringify(parameters)}`,
    )
    .join(', ');
}

/** Reads a list of streams, each of which may be followed by its parameters. */
function readList(given: string): ReadResult<readonly Subscription[]> {
  const subscriptions: Subscription[] = [];
  for (let rest = given; rest !== ''; ) {
    const [, stream = ''] = /^([^\s,{}]+)/.exec(rest) ?? [];
    if (stream === '') return wrong(t('These parameters have no stream: {0}', rest));
    rest = rest.slice(stream.length).trimStart();
    const json = rest.startsWith('{') ? objectAtStart(rest) : undefined;
    const parameters = json === undefined ? null : objectIn(json);
    if (parameters === undefined)
      return wrong(
        t('The parameters of {0} must be a JSON object. Put numbers that are too large in quotes.', stream),
      );
    subscriptions.push({ stream, parameters });
    rest = rest.slice(json?.length ?? 0).replace(/^[\s,]+/, '');
  }
  return read(subscriptions);
}

/** Returns the text up to the last brace of the object, or up to the end if this brace is missing. */
function objectAtStart(text: string): string {
  let depth = 0;
  for (const { 0: part, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (part === '{') depth += 1;
    if (part === '}') depth -= 1;
    if (depth === 0) return text.slice(0, index + 1);
  }
  return text;
}

function readMap(given: string): ReadResult<readonly Subscription[]> {
  const object = objectIn(given);
  if (object === undefined)
    return wrong(t('Subscriptions must be a JSON object. Put numbers that are too large in quotes.'));
  const subscriptions: Subscription[] = [];
  for (const [stream, value] of Object.entries(object))
    for (const parameters of Array.isArray(value) ? value : [value]) {
      if (!isParameters(parameters))
        return wrong(t('The parameters of {0} must be a JSON object, a list of them, or null.', stream));
      subscriptions.push({ stream, parameters });
    }
  return read(subscriptions);
}

function isParameters(value: unknown): value is Subscription['parameters'] {
  return typeof value === 'object' && !Array.isArray(value);
}

/** A stream of the deployed config. */
interface KnownStream {
  readonly name: string;
  /** Whether all clients get the stream without subscribing to it. */
  readonly isDefault: boolean;
  readonly parameters: readonly string[];
}

interface StreamOffer {
  readonly name: string;
  /** The stream with its parameters, whose values the user has to enter. */
  readonly written: string;
  /** The value of the box when this item is chosen. */
  readonly value: string;
}

/** Returns the streams that can be added to the typed text. A partly typed name is completed. */
export function offersFor(typed: string, streams: readonly KnownStream[]): readonly StreamOffer[] {
  const chosen = streams.filter(({ isDefault }) => !isDefault);
  if (typed.trimStart().startsWith('{')) return [];
  const [, before = '', word = ''] = /^(.*?)([^\s,{}"]*)$/s.exec(typed) ?? [];
  // Within parameters, nothing is completed.
  const isWithin = count(before, '{') > count(before, '}');
  if (isWithin) return [];
  return chosen
    .filter(({ name }) => name.startsWith(word) && (word === '' || name !== word))
    .map(({ name, parameters }) => {
      const written = writeSubscription(name, parameters);
      const kept = before.trimEnd();
      const separator = kept === '' || kept.endsWith(',') ? kept : `${kept},`;
      return { name, written, value: separator === '' ? written : `${separator} ${written}` };
    });
}

/** Returns an example with a stream of this project, such as `todos {"list_id": ""}`. */
export function exampleOf(streams: readonly KnownStream[]): string {
  const [stream] = streams
    .filter(({ isDefault }) => !isDefault)
    .toSorted((a, b) => b.parameters.length - a.parameters.length);
  return stream === undefined ? '' : writeSubscription(stream.name, stream.parameters);
}

function writeSubscription(name: string, parameters: readonly string[]): string {
  if (parameters.length === 0) return name;
  return `${name} {${parameters.map((parameter) => `${JSON.stringify(parameter)}: ""`).join(', ')}}`;
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}
