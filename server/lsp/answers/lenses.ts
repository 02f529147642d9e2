/** The lenses above lines: commands for the file, and the number of uses of a name. */
import type { CodeLens, Location } from 'vscode-languageserver';
import { countedNames, lenses } from '../../features/lenses.ts';
import type { ShownPlaces } from '../../protocol.ts';
import { readClientOptions } from '../host/clientOptions.ts';
import type { LanguageSession, OpenConfig } from '../workspace/session.ts';
import { toRange } from './convert.ts';
import { type Feature, inConfig } from './feature.ts';
import { usesOf } from './navigation.ts';
import { alsoInTests } from './tests/inTests.ts';
import { coverageLensesOf, lensesInTests } from './tests/lenses.ts';
import { testsOf } from './tests/navigation.ts';

/** A command of the client that shows places. Its argument is {@link ShownPlaces}. */
const showCommand = 'headwater.showReferences';

/** The data of a lens until it is shown. The uses of the name are counted only then. */
interface CountedName {
  readonly uri: string;
  readonly key: string;
}

export const lensFeature: Feature = {
  capabilities: { codeLensProvider: { resolveProvider: true } },
  answer(connection, session) {
    const { commands = [] } = readClientOptions(session.client);
    const inConfigs = inConfig(session, (config, { textDocument }): CodeLens[] => [
      ...lenses(config.analysis, commands).map(({ span, title, command }) => ({
        range: toRange(config.document, span),
        command: { title, command, arguments: [textDocument.uri] },
      })),
      ...coverageLensesOf(config, session),
      ...(commands.includes(showCommand) ? countedNamesOf(config, session) : []),
    ]);
    connection.onCodeLens(alsoInTests(session, inConfigs, (tests) => lensesInTests(tests, session)));
    connection.onCodeLensResolve((lens) => {
      // Lenses without data already have their command.
      if (lens.data === undefined) return lens;
      const { uri }: CountedName = lens.data;
      const places = usesOfCounted(lens.data, session);
      const shown: ShownPlaces = { uri, position: lens.range.start, places };
      const title = places.length === 1 ? '1 reference' : `${places.length} references`;
      return { ...lens, command: { title, command: showCommand, arguments: [shown] } };
    });
  },
};

/** Returns the names with a count of uses. The setting is off by default, as for other languages. */
function countedNamesOf({ document, analysis }: OpenConfig, session: LanguageSession): CodeLens[] {
  if (!session.settings().referenceLenses) return [];
  return countedNames(analysis, testsOf(document.uri, session).length > 0 ? ['cte', 'stream'] : ['cte']).map(
    ({ span, symbol }) => ({
      range: toRange(document, span),
      data: { uri: document.uri, key: symbol.key } satisfies CountedName,
    }),
  );
}

function usesOfCounted({ uri, key }: CountedName, session: LanguageSession): readonly Location[] {
  const config = session.find(session.host.readUri(uri));
  const symbol =
    config &&
    countedNames(config.analysis, ['cte', 'stream']).find((counted) => counted.symbol.key === key)?.symbol;
  return config && symbol ? usesOf(symbol, config, session) : [];
}
