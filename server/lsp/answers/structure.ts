/** The structure of a file: its folding ranges, outline, selection ranges and links. */
import {
  type DocumentLink,
  type DocumentSymbol,
  type SelectionRange,
  type SelectionRangeParams,
  type SymbolInformation,
  SymbolKind,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Span } from '../../engine/text/span.ts';
import { folding } from '../../features/folding.ts';
import { type FileLink, links } from '../../features/links.ts';
import { selection } from '../../features/selection.ts';
import { namesToFind, type OutlineKind, type OutlineNode, outline } from '../../features/symbols.ts';
import { beside, type Uri } from '../../shared/uri.ts';
import { pageOf } from '../host/pages.ts';
import { toRange } from './convert.ts';
import { type Feature, inConfig } from './feature.ts';

const foldingFeature: Feature = {
  capabilities: { foldingRangeProvider: true },
  answer(connection, session) {
    connection.onFoldingRanges(
      inConfig(session, ({ document, analysis }) =>
        folding(analysis).map(({ start, end, kind }) => ({
          startLine: document.positionAt(start).line,
          endLine: document.positionAt(end).line,
          ...(kind && { kind }),
        })),
      ),
    );
  },
};

const symbolKinds: Readonly<Record<OutlineKind, SymbolKind>> = {
  section: SymbolKind.Namespace,
  stream: SymbolKind.Class,
  'bucket definition': SymbolKind.Class,
  event: SymbolKind.Event,
  cte: SymbolKind.Interface,
  query: SymbolKind.Struct,
  key: SymbolKind.Property,
};

const outlineFeature: Feature = {
  capabilities: { documentSymbolProvider: true },
  answer(connection, session) {
    const own = session.client.capabilities.textDocument?.documentSymbol;
    const symbols = inConfig(session, ({ document, analysis }): DocumentSymbol[] | SymbolInformation[] => {
      const nodes = outline(analysis);
      if (own?.hierarchicalDocumentSymbolSupport !== true)
        return nodes.flatMap((node) => toFlatSymbols(document, node));
      return nodes.map((node) => toSymbol(document, node));
    });
    connection.onDocumentSymbol(symbols);
  },
};

/** Returns a flat list of symbols, each with the name of its container, for clients that do not support trees. */
function toFlatSymbols(
  document: TextDocument,
  { kind, name, whole, inner }: OutlineNode,
  containerName?: string,
): SymbolInformation[] {
  const location = { uri: document.uri, range: toRange(document, whole) };
  return [
    { name, kind: symbolKinds[kind], location, ...(containerName !== undefined && { containerName }) },
    ...inner.flatMap((node) => toFlatSymbols(document, node, name)),
  ];
}

function toSymbol(
  document: TextDocument,
  { kind, name, whole, nameSpan, inner }: OutlineNode,
): DocumentSymbol {
  return {
    name,
    kind: symbolKinds[kind],
    range: toRange(document, whole),
    selectionRange: toRange(document, nameSpan),
    children: inner.map((node) => toSymbol(document, node)),
  };
}

const workspaceSymbolFeature: Feature = {
  capabilities: { workspaceSymbolProvider: true },
  answer(connection, session) {
    connection.onWorkspaceSymbol(({ query }) =>
      session.allForNames().flatMap(({ document, analysis }) =>
        namesToFind(analysis)
          .filter(({ name }) => isSubsequence(query.toLowerCase(), name.toLowerCase()))
          .map(({ name, kind, nameSpan }) => ({
            name,
            kind: symbolKinds[kind],
            location: { uri: document.uri, range: toRange(document, nameSpan) },
          })),
      ),
    );
  },
};

/** Whether the name contains the letters in the same order, which is how editors match typed text. */
function isSubsequence(letters: string, name: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = name.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

const selectionFeature: Feature = {
  capabilities: { selectionRangeProvider: true },
  answer(connection, session) {
    connection.onSelectionRanges(
      inConfig(session, ({ document, analysis }, { positions }: SelectionRangeParams) =>
        positions.map((position) => {
          const spans = selection(analysis, document.offsetAt(position));
          return chainOf(document, spans) ?? { range: { start: position, end: position } };
        }),
      ),
    );
  },
};

function chainOf(document: TextDocument, spans: readonly Span[]): SelectionRange | undefined {
  return spans.reduceRight<SelectionRange | undefined>((parent, span) => {
    const range = toRange(document, span);
    return parent ? { range, parent } : { range };
  }, undefined);
}

const linkFeature: Feature = {
  capabilities: { documentLinkProvider: {} },
  answer(connection, session) {
    connection.onDocumentLinks(
      inConfig(session, ({ document, analysis }) =>
        links(analysis).flatMap((link): DocumentLink[] => {
          const target = targetOf(link, session.host.readUri(document.uri), session.client);
          return target === undefined ? [] : [{ range: toRange(document, link.span), target }];
        }),
      ),
    );
  },
};

function targetOf(link: FileLink, uri: Uri, client: Parameters<typeof pageOf>[1]): string | undefined {
  if (link.kind === 'code') return pageOf(link.code, client);
  return beside(uri, link.path)?.text;
}

export const structure: readonly Feature[] = [
  foldingFeature,
  outlineFeature,
  workspaceSymbolFeature,
  selectionFeature,
  linkFeature,
];
