/** How a file is built. */
import { folding } from '../features/folding.ts';
import type { Feature } from './feature.ts';

export const foldingFeature: Feature = {
  capabilities: { foldingRangeProvider: true },
  answer(connection, session) {
    connection.onFoldingRanges(({ textDocument }) => {
      const open = session.find(textDocument.uri);
      if (open === undefined) return null;
      const { document, analysis } = open;
      return folding(analysis).map(({ start, end }) => ({
        startLine: document.positionAt(start).line,
        endLine: document.positionAt(end).line,
      }));
    });
  },
};
