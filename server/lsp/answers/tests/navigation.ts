/** Navigates from a name in access tests to its definition, and from a stream to the tests that subscribe to it. */
import type { DefinitionLink, Location, LocationLink } from 'vscode-languageserver';
import type { NameSymbol } from '../../../engine/names/symbols.ts';
import type { Span } from '../../../engine/text/span.ts';
import { keyText } from '../../../engine/yaml/keys.ts';
import { testDefinition } from '../../../features/tests/definition.ts';
import { mentionsInTests } from '../../../features/tests/mentions.ts';
import { beside, isSameUri } from '../../../shared/uri.ts';
import type { LanguageSession } from '../../workspace/session.ts';
import type { TestDocument } from '../../workspace/tests/accessTests.ts';
import { toRange } from '../convert.ts';
import type { DocumentEdits } from '../workspaceEdit.ts';

const atStart = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

export function definitionInTests(
  tests: TestDocument,
  offset: number,
  session: LanguageSession,
): DefinitionLink | undefined {
  const found = testDefinition(tests, offset);
  const place = found && placeOf(found.target, tests, session);
  return place && { ...place, originSelectionRange: toRange(tests.document, found.origin) };
}

function placeOf(
  target: NonNullable<ReturnType<typeof testDefinition>>['target'],
  { document, configDocument, uri }: TestDocument,
  session: LanguageSession,
): LocationLink | undefined {
  const at = (targetUri: string, range: LocationLink['targetRange']): LocationLink => ({
    targetUri,
    targetRange: range,
    targetSelectionRange: range,
  });
  switch (target.kind) {
    case 'here':
      return at(document.uri, toRange(document, target.span));
    case 'in the config':
      return configDocument && at(configDocument.uri, toRange(configDocument, target.span));
    case 'file': {
      const file = beside(uri, target.path);
      return file && at(file.text, atStart);
    }
    case 'in the source': {
      const known = session.schemaOf(configDocument ? session.host.readUri(configDocument.uri) : uri);
      const made = known?.placeOf?.(target.table, target.column);
      const script = made && session.textOf(made.uri);
      return script && at(script.uri, toRange(script, made.span));
    }
  }
}

/** Renames a stream in the access tests of its config. */
export function renameInTests(
  symbol: NameSymbol,
  newName: string,
  configUri: string,
  session: LanguageSession,
): readonly DocumentEdits[] {
  return usesInTests(symbol, configUri, session).map(({ tests: { document, uri }, spans }) => ({
    document,
    isOpen: session.isOpen(uri),
    edits: spans.map((span) => ({ span, text: keyText(newName) })),
  }));
}

/** Returns the places where access tests subscribe to a stream. */
export function referencesInTests(
  symbol: NameSymbol,
  configUri: string,
  session: LanguageSession,
): readonly Location[] {
  return usesInTests(symbol, configUri, session).flatMap(({ tests: { document }, spans }) =>
    spans.map((span) => ({ uri: document.uri, range: toRange(document, span) })),
  );
}

/** Returns the access test files of a config. */
export function testsOf(configUri: string, session: LanguageSession): readonly TestDocument[] {
  const config = session.host.readUri(configUri);
  return session.tests
    .all()
    .filter(
      ({ configDocument }) => configDocument && isSameUri(session.host.readUri(configDocument.uri), config),
    );
}

interface UsesInTests {
  readonly tests: TestDocument;
  readonly spans: readonly Span[];
}

function usesInTests(
  { kind, name }: NameSymbol,
  configUri: string,
  session: LanguageSession,
): readonly UsesInTests[] {
  if (kind !== 'stream') return [];
  return testsOf(configUri, session).flatMap((tests): UsesInTests[] => {
    const spans = mentionsInTests(tests.prepared.file)
      .filter((mention) => mention.kind === 'stream' && mention.name === name)
      .map(({ span }) => span);
    return spans.length === 0 ? [] : [{ tests, spans }];
  });
}
