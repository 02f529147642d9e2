import { MarkupKind } from 'vscode-languageserver';
import { signature } from '../../features/signature.ts';
import type { Feature } from './feature.ts';

export const signatureFeature: Feature = {
  capabilities: { signatureHelpProvider: { triggerCharacters: ['(', ','] } },
  answer(connection, session) {
    connection.onSignatureHelp(({ textDocument, position }) => {
      const open = session.find(textDocument.uri);
      const found = open && signature(open.analysis, open.document.offsetAt(position));
      if (found === undefined) return null;
      const { label, markdown, parameters, active } = found;
      // An index behind the last parameter marks none of them.
      const activeParameter = active ?? parameters.length;
      return {
        signatures: [
          {
            label,
            documentation: { kind: MarkupKind.Markdown, value: markdown },
            parameters: parameters.map(({ start, end }) => ({ label: [start, end] })),
          },
        ],
        activeSignature: 0,
        activeParameter,
      };
    });
  },
};
