/** Answers requests for signature help. */
import type { SignatureHelp } from 'vscode-languageserver';
import { signature } from '../../features/signature.ts';
import { atPosition, type Feature } from './feature.ts';
import { markupFor } from './markup.ts';

export const signatureFeature: Feature = {
  capabilities: { signatureHelpProvider: { triggerCharacters: ['(', ','] } },
  answer(connection, session) {
    const signatureAt = atPosition(session, ({ analysis }, offset): SignatureHelp | undefined => {
      const found = signature(analysis, offset);
      if (found === undefined) return undefined;
      const { label, markdown, parameters, active } = found;
      const { signatureHelp: own } = session.client.capabilities.textDocument ?? {};
      // An index after the last parameter highlights none of them.
      const activeParameter = active ?? parameters.length;
      return {
        signatures: [
          {
            label,
            documentation: markupFor(own?.signatureInformation?.documentationFormat, markdown),
            parameters: parameters.map(({ start, end }) => ({ label: [start, end] })),
          },
        ],
        activeSignature: 0,
        activeParameter,
      };
    });
    connection.onSignatureHelp(signatureAt);
  },
};
