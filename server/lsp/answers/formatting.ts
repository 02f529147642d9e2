/** Formats the SQL of a config: all of it, a selection, or the line that the user has just finished. */
import type {
  DocumentRangeFormattingParams,
  DocumentRangesFormattingParams,
  TextEdit,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Edit } from '../../engine/text/edit.ts';
import { span } from '../../engine/text/span.ts';
import { formatConfig, formatLine, formatSelections } from '../../features/formatting/formatting.ts';
import { toSpan, toTextEdit } from './convert.ts';
import { atPosition, type Feature, inConfig } from './feature.ts';

const documentFormatting: Feature = {
  capabilities: {
    documentFormattingProvider: true,
    documentRangeFormattingProvider: { rangesSupport: true },
  },
  answer(connection, session) {
    connection.onDocumentFormatting(
      inConfig(session, ({ document, analysis }) => textEdits(document, formatConfig(analysis))),
    );
    connection.onDocumentRangeFormatting(
      inConfig(session, ({ document, analysis }, { range }: DocumentRangeFormattingParams) =>
        textEdits(document, formatConfig(analysis, toSpan(document, range))),
      ),
    );
    connection.onDocumentRangesFormatting(
      inConfig(session, ({ document, analysis }, { ranges }: DocumentRangesFormattingParams) =>
        textEdits(
          document,
          formatSelections(
            analysis,
            ranges.map((range) => toSpan(document, range)),
          ),
        ),
      ),
    );
  },
};

const typeFormatting: Feature = {
  capabilities: { documentOnTypeFormattingProvider: { firstTriggerCharacter: '\n' } },
  answer(connection, session) {
    const formatBefore = atPosition(session, ({ document, analysis }, _, params) => {
      const { line } = params.position;
      if (line === 0) return undefined;
      const start = document.offsetAt({ line: line - 1, character: 0 });
      const end = document.offsetAt({ line, character: 0 }) - 1;
      return textEdits(document, formatLine(analysis, span(start, end)));
    });
    connection.onDocumentOnTypeFormatting(formatBefore);
  },
};

export const formatting: readonly Feature[] = [documentFormatting, typeFormatting];

function textEdits(document: TextDocument, edits: readonly Edit[]): TextEdit[] {
  return edits.map((edit) => toTextEdit(document, edit));
}
