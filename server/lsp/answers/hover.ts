import { MarkupKind } from 'vscode-languageserver';
import { hover } from '../../features/hover/hover.ts';
import { toRange } from './convert.ts';
import type { Feature } from './feature.ts';

export const hoverFeature: Feature = {
  capabilities: { hoverProvider: true },
  answer(connection, session) {
    connection.onHover(({ textDocument, position }) => {
      const open = session.find(textDocument.uri);
      if (open === undefined) return null;
      const { document, analysis } = open;
      const found = hover(analysis, document.offsetAt(position));
      if (found === undefined) return null;
      const contents = { kind: MarkupKind.Markdown, value: found.markdown };
      return { contents, range: toRange(document, found.span) };
    });
  },
};
