/** Answers requests for hovers. */
import type { Hover } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { hover } from '../../features/hover/hover.ts';
import { testHover } from '../../features/tests/hover.ts';
import { toRange } from './convert.ts';
import { atPosition, type Feature } from './feature.ts';
import { markupFor } from './markup.ts';
import { alsoInTests } from './tests/inTests.ts';

export const hoverFeature: Feature = {
  capabilities: { hoverProvider: true },
  answer(connection, session) {
    const { hover: own } = session.client.capabilities.textDocument ?? {};
    const toHover = (document: TextDocument, found: ReturnType<typeof hover>): Hover | undefined =>
      found && {
        contents: markupFor(own?.contentFormat, found.markdown),
        range: toRange(document, found.span),
      };
    const inConfigs = atPosition(session, ({ document, analysis }, offset) =>
      toHover(document, hover(analysis, offset)),
    );
    connection.onHover(
      alsoInTests(session, inConfigs, (tests, { position }) =>
        toHover(tests.document, testHover(tests, tests.document.offsetAt(position))),
      ),
    );
  },
};
