/** Messages in the Test Explorer that explain why a test fails. */
import { Location, MarkdownString, TestMessage, Uri } from 'vscode';
import type { TestResultFailure } from '../../../server/protocol.ts';
import { splitPath } from '../../../server/shared/uri.ts';
import { rangeOf } from './items.ts';

type Reason = TestResultFailure['reasons'][number];

export function messageOfFailure(
  { message, expected, actual, range, reasons }: TestResultFailure,
  file: Uri,
): TestMessage {
  const text = new MarkdownString([message, ...reasons.map(linkedReason)].join('\n\n'));
  const shown =
    expected === '' && actual === ''
      ? new TestMessage(text)
      : TestMessage.diff(text, onLines(expected), onLines(actual));
  shown.location = new Location(file, rangeOf(range));
  return shown;
}

/** Returns a reason with a link to the query or condition that caused it. */
function linkedReason({ text, place }: Reason): string {
  if (place === undefined) return text;
  const { line } = place.range.start;
  const uri = Uri.parse(place.uri);
  return `${text} [${splitPath(uri.path).name}:${line + 1}](${uri.with({ fragment: `L${line + 1}` })})`;
}

/** Writes each id on its own line, so that a comparison shows which ids are missing or unexpected. */
function onLines(ids: string): string {
  const listed = /^\[(.*)\]$/s.exec(ids)?.[1];
  return listed === undefined ? ids : listed.split(', ').join('\n');
}

/** Returns text for the output of a run, with the line ends of a terminal. */
export function outputText(name: string, { message, reasons }: TestResultFailure): string {
  return [`${name}: ${message}`, ...reasons.map(({ text }) => `  ${text}`), '']
    .join('\n')
    .replaceAll(/\r?\n/g, '\r\n');
}
