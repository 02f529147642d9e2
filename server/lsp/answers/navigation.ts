/** Where names come from, where else they are, and what they are called. */
import {
  type DefinitionLink,
  DocumentHighlightKind,
  ErrorCodes,
  type Location,
  ResponseError,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { NameSymbol } from '../../engine/names/symbols.ts';
import { definition } from '../../features/definition.ts';
import { highlights } from '../../features/highlights.ts';
import type { PlacedMention } from '../../features/reading/names.ts';
import { references, symbolAt } from '../../features/references.ts';
import { prepareRename, rename } from '../../features/rename.ts';
import { pathFrom } from '../workspace/wanted.ts';
import { toRange } from './convert.ts';
import type { Feature, OpenConfig, Session } from './feature.ts';

const definitionFeature: Feature = {
  capabilities: { definitionProvider: true },
  answer(connection, session) {
    const canLink = session.client.capabilities.textDocument?.definition?.linkSupport === true;
    connection.onDefinition(({ textDocument, position }) => {
      const open = session.find(textDocument.uri);
      if (open === undefined) return null;
      const { document, analysis } = open;
      const found = definition(analysis, document.offsetAt(position));
      if (found === undefined) return null;
      const originSelectionRange = toRange(document, found.origin);
      const inFile = found.targets.map(({ whole, name }) => ({
        targetUri: document.uri,
        targetRange: toRange(document, whole),
        targetSelectionRange: toRange(document, name),
      }));
      const links = [...inFile, ...inMigrations(found.symbol, document.uri, session)].map((link) => ({
        originSelectionRange,
        ...link,
      }));
      if (canLink) return links;
      return links.map(({ targetUri, targetSelectionRange }) => ({
        uri: targetUri,
        range: targetSelectionRange,
      }));
    });
  },
};

/** Where a table, or a column of one, is made. */
function inMigrations(
  { kind, name, table }: NameSymbol,
  uri: string,
  session: Session,
): Omit<DefinitionLink, 'originSelectionRange'>[] {
  const place = table && session.schemaOf(uri)?.placeOf?.(table, kind === 'column' ? name : undefined);
  const document = place && session.textOf(place.path);
  if (!place || !document) return [];
  const range = toRange(document, place.span);
  return [{ targetUri: document.uri, targetRange: range, targetSelectionRange: range }];
}

const referencesFeature: Feature = {
  capabilities: { referencesProvider: true },
  answer(connection, session) {
    connection.onReferences(({ textDocument, position, context }) => {
      const open = session.find(textDocument.uri);
      const symbol = open && symbolAt(open.analysis, open.document.offsetAt(position));
      if (!open || !symbol) return null;
      const isWanted = ({ role }: PlacedMention) => context.includeDeclaration || role === 'reference';
      const inConfigs = configsWith(symbol, open, session).flatMap(({ document, analysis }) =>
        references(analysis, symbol)
          .filter(isWanted)
          .map(({ span }): Location => ({ uri: document.uri, range: toRange(document, span) })),
      );
      const made = context.includeDeclaration ? inMigrations(symbol, open.document.uri, session) : [];
      return [...inConfigs, ...made.map(({ targetUri: uri, targetRange: range }) => ({ uri, range }))];
    });
  },
};

const highlightKinds = { gives: DocumentHighlightKind.Write, reads: DocumentHighlightKind.Read } as const;

const highlightFeature: Feature = {
  capabilities: { documentHighlightProvider: true },
  answer(connection, session) {
    connection.onDocumentHighlight(({ textDocument, position }) => {
      const open = session.find(textDocument.uri);
      if (open === undefined) return null;
      const { document, analysis } = open;
      return highlights(analysis, document.offsetAt(position)).map(({ span, kind }) => ({
        range: toRange(document, span),
        kind: highlightKinds[kind],
      }));
    });
  },
};

const renameFeature: Feature = {
  capabilities: { renameProvider: { prepareProvider: true } },
  answer(connection, session) {
    connection.onPrepareRename(({ textDocument, position }) => {
      const open = session.find(textDocument.uri);
      if (open === undefined) return null;
      const prepared = prepareRename(open.analysis, open.document.offsetAt(position));
      if (prepared === undefined) return null;
      if (prepared.kind === 'refused') return refusal(prepared.reason);
      return { range: toRange(open.document, prepared.span), placeholder: prepared.name };
    });
    connection.onRenameRequest(({ textDocument, position, newName }) => {
      const open = session.find(textDocument.uri);
      const symbol = open && symbolAt(open.analysis, open.document.offsetAt(position));
      if (!open || !symbol) return null;
      const changes: Record<string, { range: ReturnType<typeof toRange>; newText: string }[]> = {};
      for (const { document, analysis } of configsWith(symbol, open, session)) {
        const renamed = rename(analysis, symbol, newName);
        if (renamed.kind === 'refused') return refusal(inFile(renamed.reason, document, open.document));
        const edits = renamed.edits.map(({ span, text }) => ({
          range: toRange(document, span),
          newText: text,
        }));
        if (edits.length > 0) changes[document.uri] = edits;
      }
      return { changes };
    });
  },
};

export const navigation: readonly Feature[] = [
  definitionFeature,
  referencesFeature,
  highlightFeature,
  renameFeature,
];

/** The configs in which a name may be: all of the folder, if it means the same in all of them. */
function configsWith({ shared }: NameSymbol, open: OpenConfig, session: Session): readonly OpenConfig[] {
  if (!shared) return [open];
  const folder = session.folderOf(open.document.uri);
  return session.all().filter(({ document }) => session.folderOf(document.uri) === folder);
}

function inFile(reason: string, where: TextDocument, asked: TextDocument): string {
  return where === asked ? reason : `${reason} (In ${pathFrom('', where.uri)}.)`;
}

/** Editors show the sentence of a failed request where the name is typed. */
function refusal(reason: string): ResponseError<void> {
  return new ResponseError(ErrorCodes.InvalidRequest, reason);
}
