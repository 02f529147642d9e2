/** Shows the readers of a table as a call hierarchy: from a table to the definitions that read it, and back. */
import { type CallHierarchyItem, SymbolKind } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { NameSymbol } from '../../engine/names/symbols.ts';
import type { Span } from '../../engine/text/span.ts';
import { readings, readingsFrom, type TableUse } from '../../features/readers.ts';
import { isSameUri } from '../../shared/uri.ts';
import type { LanguageSession, OpenConfig } from '../workspace/session.ts';
import { toRange } from './convert.ts';
import { atPosition, type Feature } from './feature.ts';

const hierarchyFeature: Feature = {
  capabilities: { callHierarchyProvider: true },
  answer({ languages: { callHierarchy } }, session) {
    const prepareAt = atPosition(session, ({ document, analysis }, offset) => {
      const found = readingsFrom(analysis, offset);
      return found && [itemOf(document, found.symbol, { whole: found.span, name: found.span })];
    });
    callHierarchy.onPrepare(prepareAt);
    callHierarchy.onIncomingCalls(({ item }) =>
      readingsOf(session, item, ({ table }) => table.key).map(({ document, reading }) => ({
        from: itemOf(document, reading.reader.symbol, reading.reader),
        fromRanges: reading.places.map((place) => toRange(document, place)),
      })),
    );
    callHierarchy.onOutgoingCalls(({ item }) =>
      readingsOf(session, item, ({ reader }) => reader.symbol.key)
        .filter(({ document }) =>
          isSameUri(session.host.readUri(document.uri), session.host.readUri(item.uri)),
        )
        .flatMap(({ document, reading: { table, places } }) => {
          const [place] = places;
          if (place === undefined) return [];
          const to = itemOf(document, table, { whole: place, name: place });
          return [{ to, fromRanges: places.map((each) => toRange(document, each)) }];
        }),
    );
  },
};

interface PlacedUse {
  readonly document: TextDocument;
  readonly reading: TableUse;
}

/** Returns the readings in all configs of the workspace, because a table is the same in each of them. */
function readingsOf(
  session: LanguageSession,
  { data }: CallHierarchyItem,
  keyOf: (reading: TableUse) => string,
): readonly PlacedUse[] {
  return session.allForNames().flatMap(({ document, analysis }: OpenConfig) =>
    readings(analysis)
      .filter((reading) => keyOf(reading) === data)
      .map((reading) => ({ document, reading })),
  );
}

function itemOf(
  document: TextDocument,
  { kind, name, key }: NameSymbol,
  place: { readonly whole: Span; readonly name: Span },
): CallHierarchyItem {
  return {
    name,
    kind: kind === 'table' ? SymbolKind.Struct : SymbolKind.Class,
    detail: kind,
    uri: document.uri,
    range: toRange(document, place.whole),
    selectionRange: toRange(document, place.name),
    data: key,
  };
}

export const hierarchy: readonly Feature[] = [hierarchyFeature];
