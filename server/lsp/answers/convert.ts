/**
 * Converts offsets to the lines and columns of the language protocol. Only this file counts lines. Both sides count in UTF-16
 * units, so a column is a difference of offsets; the document knows its line endings.
 */
import {
  type Diagnostic,
  DiagnosticSeverity,
  DiagnosticTag,
  type Range,
  type TextEdit,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Edit } from '../../engine/text/edit.ts';
import { type Span, span } from '../../engine/text/span.ts';
import type { PlainDiagnostic } from '../../features/diagnostics.ts';
import { serverId } from '../../protocol.ts';

export function toRange(document: TextDocument, span: Span): Range {
  return { start: document.positionAt(span.start), end: document.positionAt(span.end) };
}

export function toSpan(document: TextDocument, { start, end }: Range): Span {
  return span(document.offsetAt(start), document.offsetAt(end));
}

export function toTextEdit(document: TextDocument, { span: at, text }: Edit): TextEdit {
  return { range: toRange(document, at), newText: text };
}

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
} as const;

const tags = {
  unnecessary: DiagnosticTag.Unnecessary,
  deprecated: DiagnosticTag.Deprecated,
} as const;

/** Converts a diagnostic. `page` is the address of the page that explains its code. */
export function toDiagnostic(document: TextDocument, plain: PlainDiagnostic, page?: string): Diagnostic {
  const { code, span: at, severity, message, tag, related } = plain;
  return {
    range: toRange(document, at),
    severity: severities[severity],
    code,
    ...(page !== undefined && { codeDescription: { href: page } }),
    source: serverId,
    message,
    ...(tag && { tags: [tags[tag]] }),
    ...(related && {
      relatedInformation: [
        {
          location: { uri: document.uri, range: toRange(document, related.span) },
          message: related.message,
        },
      ],
    }),
  };
}
