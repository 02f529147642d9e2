/** Columns in the unit of the client: bytes, UTF-16 units or characters. Internally, columns are UTF-16 units. */
import type { InitializeParams, TextDocumentsConfiguration } from 'vscode-languageserver';
import { type Position, type Range, TextDocument } from 'vscode-languageserver-textdocument';

export type PositionUnit = 'utf-8' | 'utf-16' | 'utf-32';

const units: readonly PositionUnit[] = ['utf-8', 'utf-16', 'utf-32'];

/** Returns the first unit in the client's list that is supported here. */
export function chooseUnit({
  capabilities: { general },
}: Pick<InitializeParams, 'capabilities'>): PositionUnit {
  const wanted: readonly string[] = general?.positionEncodings ?? [];
  return (
    units.find((unit) => unit === wanted.find((one) => units.some((known) => known === one))) ?? 'utf-16'
  );
}

export type CreateDocument = TextDocumentsConfiguration<TextDocument>['create'];

/** @param unitOf is called for each document, because the unit is known only after `initialize` */
export function documentsIn(unitOf: () => PositionUnit): TextDocumentsConfiguration<TextDocument> {
  const plainOf = new WeakMap<TextDocument, TextDocument>();
  return {
    create(uri, languageId, version, text) {
      const plain = TextDocument.create(uri, languageId, version, text);
      const unit = unitOf();
      if (unit === 'utf-16') return plain;
      const document = countIn(plain, unit);
      plainOf.set(document, plain);
      return document;
    },
    update(document, changes, version) {
      const plain = plainOf.get(document);
      if (plain === undefined) return TextDocument.update(document, changes, version);
      // The range of each change refers to the text after the previous change.
      for (const change of changes) {
        const range = 'range' in change ? toPlainRange(plain, change.range, unitOf()) : undefined;
        TextDocument.update(plain, [range ? { range, text: change.text } : { text: change.text }], version);
      }
      return document;
    },
  };
}

function countIn(plain: TextDocument, unit: PositionUnit): TextDocument {
  return {
    uri: plain.uri,
    languageId: plain.languageId,
    get version() {
      return plain.version;
    },
    getLineRange: (line) => {
      const range = plain.getLineRange(line);
      return { start: range.start, end: toUnit(plain, range.end, unit) };
    },
    getEOLCharacters: (line) => plain.getEOLCharacters(line),
    get lineCount() {
      return plain.lineCount;
    },
    getText: (range) => plain.getText(range && toPlainRange(plain, range, unit)),
    positionAt: (offset) => toUnit(plain, plain.positionAt(offset), unit),
    offsetAt: (position) => plain.offsetAt(toPlain(plain, position, unit)),
  };
}

function toUnit(plain: TextDocument, { line, character }: Position, unit: PositionUnit): Position {
  const before = plain.getText({ start: { line, character: 0 }, end: { line, character } });
  return { line, character: countUnits(before, unit) };
}

function toPlainRange(plain: TextDocument, { start, end }: Range, unit: PositionUnit): Range {
  return { start: toPlain(plain, start, unit), end: toPlain(plain, end, unit) };
}

/** Converts a position. A position inside a character becomes the start of that character. */
function toPlain(plain: TextDocument, { line, character }: Position, unit: PositionUnit): Position {
  const text = plain.getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } });
  let [at, count] = [0, 0];
  for (const letter of text) {
    count += countUnits(letter, unit);
    if (count > character) break;
    at += letter.length;
  }
  return { line, character: at };
}

function countUnits(text: string, unit: PositionUnit): number {
  if (unit === 'utf-16') return text.length;
  let count = 0;
  for (const letter of text) count += unit === 'utf-32' ? 1 : bytesOf(letter.codePointAt(0) ?? 0);
  return count;
}

function bytesOf(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}
