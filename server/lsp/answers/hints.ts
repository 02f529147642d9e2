/** Inlay hints after the names of streams: the numbers of buckets. */
import { type InlayHint, InlayHintKind, type InlayHintParams } from 'vscode-languageserver';
import { inlayHints } from '../../features/inlayHints.ts';
import { toSpan } from './convert.ts';
import { type Feature, inConfig } from './feature.ts';

export const inlayHintFeature: Feature = {
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
