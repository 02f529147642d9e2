/** The SQL of a config in good order: all of it, a selection, or the line that was just ended. */
import type { TextEdit } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Edit } from '../../engine/text/edit.ts';
import { span } from '../../engine/text/span.ts';
import { format, formatLine } from '../../features/formatting/format.ts';
import { toSpan, toTextEdit } from './convert.ts';
import type { Feature } from './feature.ts';

const documentFormatting: Feature = {
  capabilities: { documentFormattingProvider: true, documentRangeFormattingProvider: true },
  answer(connection, session) {
    connection.onDocumentFormatting(({ textDocument }) => {
      const open = session.find(textDocument.uri);
      return open === undefined ? null : textEdits(open.document, format(open.analysis));
    });
    connection.onDocumentRangeFormatting(({ textDocument, range }) => {
      const open = session.find(textDocument.uri);
      if (open === undefined) return null;
      const { document, analysis } = open;
      return textEdits(document, format(analysis, toSpan(document, range)));
    });
  },
};

const typeFormatting: Feature = {
  capabilities: { documentOnTypeFormattingProvider: { firstTriggerCharacter: '\n' } },
  answer(connection, session) {
    connection.onDocumentOnTypeFormatting(({ textDocument, position: { line } }) => {
      const open = session.find(textDocument.uri);
      if (open === undefined || line === 0) return null;
      const { document, analysis } = open;
      const start = document.offsetAt({ line: line - 1, character: 0 });
      const end = document.offsetAt({ line, character: 0 }) - 1;
      return textEdits(document, formatLine(analysis, span(start, end)));
    });
  },
};

export const formatting: readonly Feature[] = [documentFormatting, typeFormatting];

function textEdits(document: TextDocument, edits: readonly Edit[]): TextEdit[] {
  return edits.map((edit) => toTextEdit(document, edit));
}
