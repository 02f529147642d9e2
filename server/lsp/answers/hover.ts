import { MarkupKind } from 'vscode-languageserver';
import { hover } from '../../features/hover/hover.ts';
import { toRange } from './convert.ts';
import { atPosition, type Feature } from './feature.ts';

export const hoverFeature: Feature = {
  capabilities: { hoverProvider: true },
  answer(connection, session) {
    connection.onHover(
      atPosition(session, ({ document, analysis }, offset) => {
        const found = hover(analysis, offset);
        if (found === undefined) return undefined;
        const contents = { kind: MarkupKind.Markdown, value: found.markdown };
        return { contents, range: toRange(document, found.span) };
      }),
    );
  },
};
