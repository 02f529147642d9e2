/** Finds the declaration of a name and its other places, and renames it. */
import {
  type DefinitionLink,
  DocumentHighlightKind,
  ErrorCodes,
  type Location,
  type ReferenceParams,
  type RenameParams,
  ResponseError,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { NameSymbol } from '../../engine/names/symbols.ts';
import { definition } from '../../features/definition.ts';
import { highlights } from '../../features/highlights.ts';
import type { PlacedMention } from '../../features/reading/mentions.ts';
import { references, symbolAt } from '../../features/references.ts';
import { linkedNames, prepareRename, rename } from '../../features/rename.ts';
import { isSameUri, pathFrom, shownPath, shownUri } from '../../shared/uri.ts';
import type { LanguageSession, OpenConfig } from '../workspace/session.ts';
import { toRange } from './convert.ts';
import { atPosition, type Feature } from './feature.ts';
import { alsoInTests } from './tests/inTests.ts';
import { definitionInTests, referencesInTests, renameInTests } from './tests/navigation.ts';
import { canConfirm, type DocumentEdits, withConfirmation, workspaceEdit } from './workspaceEdit.ts';

const definitionFeature: Feature = {
  capabilities: { definitionProvider: true },
  answer(connection, session) {
    const canLink = session.client.capabilities.textDocument?.definition?.linkSupport === true;
    const definitionAt = atPosition(session, ({ document, analysis }, offset) => {
      const found = definition(analysis, offset);
      if (found === undefined) return undefined;
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
    connection.onDefinition(
      alsoInTests(session, definitionAt, (tests, { position }) => {
        const link = definitionInTests(tests, tests.document.offsetAt(position), session);
        if (link === undefined) return undefined;
        return canLink ? [link] : [{ uri: link.targetUri, range: link.targetSelectionRange }];
      }),
    );
  },
};

/** Returns the places where a table, or a column of one, is created. */
function inMigrations(
  { kind, name, table }: NameSymbol,
  uri: string,
  session: LanguageSession,
): Omit<DefinitionLink, 'originSelectionRange'>[] {
  const schema = table && session.schemaOf(session.host.readUri(uri));
  const place = table && schema?.placeOf?.(table, kind === 'column' ? name : undefined);
  const document = place && session.textOf(place.uri);
  if (!place || !document) return [];
  const range = toRange(document, place.span);
  return [{ targetUri: document.uri, targetRange: range, targetSelectionRange: range }];
}

const referencesFeature: Feature = {
  capabilities: { referencesProvider: true },
  answer(connection, session) {
    const referencesAt = atPosition(session, (config, offset, { context }: ReferenceParams) => {
      const symbol = symbolAt(config.analysis, offset);
      if (symbol === undefined) return undefined;
      const { includeDeclaration } = context;
      const made = includeDeclaration ? inMigrations(symbol, config.document.uri, session) : [];
      return [
        ...placesOf(symbol, config, session, ({ role }) => includeDeclaration || role === 'reference'),
        ...made.map(({ targetUri: uri, targetRange: range }) => ({ uri, range })),
      ];
    });
    connection.onReferences(referencesAt);
  },
};

/** Returns the uses of a name, without its declaration. */
export function usesOf(symbol: NameSymbol, config: OpenConfig, session: LanguageSession): Location[] {
  return placesOf(symbol, config, session, ({ role }) => role === 'reference');
}

/** Returns the places of a name in configs, and in the access tests of this config. */
function placesOf(
  symbol: NameSymbol,
  config: OpenConfig,
  session: LanguageSession,
  isWanted: (mention: PlacedMention) => boolean,
): Location[] {
  const inConfigs = configsWith(symbol, config, session).flatMap(({ document, analysis }) =>
    references(analysis, symbol)
      .filter(isWanted)
      .map(({ span }): Location => ({ uri: document.uri, range: toRange(document, span) })),
  );
  return [...inConfigs, ...referencesInTests(symbol, config.document.uri, session)];
}

const highlightKinds = { gives: DocumentHighlightKind.Write, reads: DocumentHighlightKind.Read } as const;

const highlightFeature: Feature = {
  capabilities: { documentHighlightProvider: true },
  answer(connection, session) {
    connection.onDocumentHighlight(
      atPosition(session, ({ document, analysis }, offset) =>
        highlights(analysis, offset).map(({ span, kind }) => ({
          range: toRange(document, span),
          kind: highlightKinds[kind],
        })),
      ),
    );
  },
};

const renameFeature: Feature = {
  capabilities: { renameProvider: { prepareProvider: true } },
  answer(connection, session) {
    const prepareAt = atPosition(session, ({ document, analysis }, offset) => {
      const prepared = prepareRename(analysis, offset);
      if (prepared === undefined) return undefined;
      if (prepared.kind === 'refused') return refusal(prepared.reason);
      return { range: toRange(document, prepared.span), placeholder: prepared.name };
    });
    const renameAt = atPosition(session, (config, offset, { newName }: RenameParams) => {
      const symbol = symbolAt(config.analysis, offset);
      if (symbol === undefined) return undefined;
      const changed: DocumentEdits[] = [];
      const consequences = new Set<string>();
      for (const { document, analysis } of configsWith(symbol, config, session)) {
        const renamed = rename(analysis, symbol, newName);
        if (renamed.kind === 'refused')
          return refusal(inFile(renamed.reason, document, config.document, session));
        const isOpen = session.find(session.host.readUri(document.uri)) !== undefined;
        if (renamed.edits.length > 0) changed.push({ document, isOpen, edits: renamed.edits });
        if (renamed.consequence !== undefined) consequences.add(renamed.consequence);
      }
      changed.push(...renameInTests(symbol, newName, config.document.uri, session));
      const [consequence] = consequences;
      if (consequence === undefined) return workspaceEdit(session.client, changed);
      if (!canConfirm(session.client))
        return refusal(`${consequence} If you want that, change the name by hand.`);
      return withConfirmation(workspaceEdit(session.client, changed), consequence);
    });
    connection.onPrepareRename(prepareAt);
    connection.onRenameRequest(renameAt);
  },
};

const linkedFeature: Feature = {
  capabilities: { linkedEditingRangeProvider: true },
  answer(connection, session) {
    const linkedAt = atPosition(session, ({ document, analysis }, offset) => {
      const spans = linkedNames(analysis, offset);
      return spans && { ranges: spans.map((span) => toRange(document, span)) };
    });
    connection.languages.onLinkedEditingRange(linkedAt);
  },
};

export const navigation: readonly Feature[] = [
  linkedFeature,
  definitionFeature,
  referencesFeature,
  highlightFeature,
  renameFeature,
];

/** Returns the configs in which a name may occur: all configs of the folder if the name has the same meaning in all of them. */
function configsWith(
  { shared }: NameSymbol,
  open: OpenConfig,
  session: LanguageSession,
): readonly OpenConfig[] {
  if (!shared) return [open];
  const folderOf = ({ document }: OpenConfig) => session.folderOf(session.host.readUri(document.uri));
  return session.all().filter((config) => isSameUri(folderOf(config), folderOf(open)));
}

function inFile(reason: string, where: TextDocument, asked: TextDocument, session: LanguageSession): string {
  const uri = session.host.readUri(where.uri);
  const path = pathFrom(session.folderOf(uri), uri);
  const shown = path === undefined ? shownUri(uri) : shownPath(path, uri.platform);
  return where === asked ? reason : `${reason} (In ${shown}.)`;
}

/** Rejects a rename. Editors show the message next to the typed name. */
function refusal(reason: string): ResponseError<void> {
  return new ResponseError(ErrorCodes.InvalidRequest, reason);
}
