/** Rewrites the entire file: its sections in order, with the definitions as streams and everything else unchanged. */
import { append } from '../ground/append.ts';
import { applyEdits, shiftEdits } from '../text/edit.ts';
import { endOfLineOf } from '../yaml/columns.ts';
import { keyText } from '../yaml/keys.ts';
import { type Entry, type FileSection, type Part, sectionsOf, spanInFile } from '../yaml/parts.ts';
import { lineEnd } from '../yaml/space.ts';
import { type Comment, commentsIn } from './comments.ts';
import { configEdits, newConfig } from './options.ts';
import type { StreamText } from './stream.ts';
import { streamLines } from './yamlText.ts';

interface FileWish {
  readonly text: string;
  readonly parts: readonly Part[];
  readonly options: readonly string[];
  /** The notes above all streams. */
  readonly notes: readonly string[];
  readonly translate: (entry: Entry) => Translation;
}

export interface Translation {
  /** The streams of the definition. The first one has the name of the definition. */
  readonly streams: readonly StreamText[];
  /** Sentences for readers of the file. They are written above the stream. */
  readonly notes: readonly string[];
}

/** The state of a writer. Line breaks are converted to those of the file at the end. */
interface Writer {
  readonly wish: FileWish;
  readonly lines: string[];
  readonly streams: string[];
  readonly comments: Comment[];
  /** The end of the text that has already been rewritten. */
  done: number;
}

export function writeFile(wish: FileWish): string {
  const { text, parts } = wish;
  const writer: Writer = { wish, lines: [], streams: [], comments: [...commentsIn(text, parts)], done: 0 };
  const sections = sectionsOf(parts);
  const streamsAt = sections.findIndex(isOfStreams);
  for (const [index, section] of sections.entries()) {
    if (!isOfStreams(section)) writeSection(writer, section);
    else {
      writeDefinitions(writer, section);
      if (index === streamsAt) writer.lines.push(streamsHere);
    }
  }
  append(writer.lines, takeComments(writer, text.length, ''));
  const streams = [...wish.notes.map((note) => `# Check: ${note}`), 'streams:', ...writer.streams];
  const lines = writer.lines.flatMap((line) => (line === streamsHere ? streams : [line]));
  const hasConfig = sections.some((section) => nameOf(section) === 'config');
  const all = hasConfig ? lines : withConfig(lines, wish.options);
  const joined = `${all
    .join('\n')
    .replaceAll('\r\n', '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
  return (text.startsWith('\ufeff') ? '\ufeff' : '') + joined.replaceAll('\n', endOfLineOf(text));
}

/** A placeholder for the streams until all of them are known. No line of a file can be equal to it. */
const streamsHere = '\0';

/** Adds the `config` section after the comment at the start of the file. */
function withConfig(lines: readonly string[], options: readonly string[]): string[] {
  const start = lines.findIndex((line) => !line.startsWith('#'));
  return [...lines.slice(0, start), ...newConfig(options), '', ...lines.slice(start)];
}

function nameOf({ key }: FileSection): string {
  return key.kind === 'scalar' ? key.text : '';
}

function isOfStreams(section: FileSection): boolean {
  return ['streams', 'bucket_definitions'].includes(nameOf(section));
}

function writeSection(writer: Writer, section: FileSection): void {
  const { text, options } = writer.wish;
  const { start } = spanInFile(section, section.key);
  startPlace(writer, start, '', writer.lines);
  const end = endOf(writer, section.content.end);
  const edits =
    nameOf(section) === 'config' && section.value.kind === 'map'
      ? configEdits(section.part.reading.text, section.value, options)
      : [];
  writer.lines.push(applyEdits(text.slice(start, end), shiftEdits(edits, section.part.base - start)));
  takeComments(writer, end, '');
  writer.done = end;
}

/** Returns the end of a section. The rest of its last line also belongs to it, unless braces contain the entire file. */
function endOf({ wish: { text, parts } }: Writer, end: number): number {
  const root = parts[0]?.reading.root;
  return root?.kind === 'map' && root.flow ? end : lineEnd(text, end);
}

function writeDefinitions(writer: Writer, section: FileSection): void {
  const { wish, streams } = writer;
  const key = spanInFile(section, section.key);
  startPlace(writer, key.start, '', writer.lines);
  writer.done = key.end;
  for (const entry of section.entries ?? []) {
    const at = spanInFile(entry, entry.key);
    startPlace(writer, at.start, '  ', streams);
    const end = endOf(writer, spanInFile(entry, entry.value).end);
    append(streams, takeComments(writer, end, '  '));
    const { streams: translated, notes } = wish.translate(entry);
    append(
      streams,
      notes.map((note) => `  # Check: ${note}`),
    );
    for (const [index, stream] of translated.entries()) {
      const key = index === 0 ? wish.text.slice(at.start, at.end) : keyText(stream.name);
      append(streams, streamLines(key, stream));
    }
    writer.done = end;
  }
}

/** Copies the blank lines and comments before the next entry. */
function startPlace(writer: Writer, at: number, indent: string, lines: string[]): void {
  if (/\n[ \t]*\r?\n/.test(writer.wish.text.slice(writer.done, at))) lines.push('');
  append(lines, takeComments(writer, at, indent));
}

function takeComments(writer: Writer, before: number, indent: string): string[] {
  const { comments } = writer;
  const count = comments.findIndex(({ at }) => at >= before);
  return comments
    .splice(0, count < 0 ? comments.length : count)
    .map(({ text }) => `${indent}# ${text}`.trimEnd());
}
