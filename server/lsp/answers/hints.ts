/** What is said between the lines: numbers of buckets, and commands above the file. */
import { type InlayHint, InlayHintKind, type InlayHintParams } from 'vscode-languageserver';
import { inlayHints } from '../../features/inlayHints.ts';
import { lenses } from '../../features/lenses.ts';
import { readClientOptions } from '../host/clientOptions.ts';
import { toRange, toSpan } from './convert.ts';
import { type Feature, inConfig } from './feature.ts';
import { alsoInTests } from './tests/inTests.ts';
import { coverageLensesOf, lensesInTests } from './tests/lenses.ts';

const inlayHintFeature: Feature = {
  capabilities: { inlayHintProvider: true },
  answer(connection, session) {
    const hintsIn = inConfig(session, ({ document, analysis }, { range }: InlayHintParams) => {
      if (!session.settings().bucketHints) return undefined;
      const { start, end } = toSpan(document, range);
      return inlayHints(analysis, session.limits())
        .filter(({ offset }) => start <= offset && offset <= end)
        .map(
          ({ offset, label, details }): InlayHint => ({
            position: document.positionAt(offset),
            label,
            tooltip: details.join('\n'),
            kind: InlayHintKind.Type,
            paddingLeft: true,
          }),
        );
    });
    connection.languages.inlayHint.on(hintsIn);
  },
};

const lensFeature: Feature = {
  capabilities: { codeLensProvider: {} },
  answer(connection, session) {
    const { commands = [] } = readClientOptions(session.client);
    const inConfigs = inConfig(session, (config, { textDocument }) => [
      ...lenses(config.analysis, commands).map(({ span, title, command }) => ({
        range: toRange(config.document, span),
        command: { title, command, arguments: [textDocument.uri] },
      })),
      ...coverageLensesOf(config, session),
    ]);
    connection.onCodeLens(alsoInTests(session, inConfigs, (tests) => lensesInTests(tests, session)));
  },
};

export const hints: readonly Feature[] = [inlayHintFeature, lensFeature];
