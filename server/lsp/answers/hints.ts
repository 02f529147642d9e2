/** What is said between the lines: numbers of buckets, and commands above the file. */
import { InlayHintKind } from 'vscode-languageserver';
import { inlayHints } from '../../features/inlayHints.ts';
import { lenses } from '../../features/lenses.ts';
import { readClientOptions } from '../host/clientOptions.ts';
import { toRange } from './convert.ts';
import type { Feature } from './feature.ts';

const inlayHintFeature: Feature = {
  capabilities: { inlayHintProvider: true },
  answer(connection, session) {
    connection.languages.inlayHint.on(({ textDocument, range }) => {
      const open = session.find(textDocument.uri);
      if (open === undefined || !session.settings().bucketHints) return null;
      const { document, analysis } = open;
      const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
      return inlayHints(analysis)
        .filter(({ offset }) => start <= offset && offset <= end)
        .map(({ offset, label, details }) => ({
          position: document.positionAt(offset),
          label,
          tooltip: details.join('\n'),
          kind: InlayHintKind.Type,
          paddingLeft: true,
        }));
    });
  },
};

const lensFeature: Feature = {
  capabilities: { codeLensProvider: {} },
  answer(connection, session) {
    const { commands = [] } = readClientOptions(session.client);
    connection.onCodeLens(({ textDocument }) => {
      const open = session.find(textDocument.uri);
      if (open === undefined) return null;
      return lenses(open.analysis, commands).map(({ span, title, command }) => ({
        range: toRange(open.document, span),
        command: { title, command, arguments: [textDocument.uri] },
      }));
    });
  },
};

export const hints: readonly Feature[] = [inlayHintFeature, lensFeature];
