/** Semantic tokens in the numbers of the protocol: each relative to the one before. */
import { type SemanticTokens, SemanticTokensBuilder } from 'vscode-languageserver';
import { type Token, tokenModifiers, tokens, tokenTypes } from '../../features/tokens.ts';
import type { Feature, OpenConfig } from './feature.ts';

const tokenFeature: Feature = {
  capabilities: {
    semanticTokensProvider: {
      legend: { tokenTypes: [...tokenTypes], tokenModifiers: [...tokenModifiers] },
      full: true,
      range: true,
    },
  },
  answer({ languages: { semanticTokens } }, session) {
    semanticTokens.on(({ textDocument }) => {
      const open = session.find(textDocument.uri);
      if (open === undefined) return { data: [] };
      return encode(open, tokens(open.analysis, { start: 0, end: open.analysis.text.length }));
    });
    semanticTokens.onRange(({ textDocument, range }) => {
      const open = session.find(textDocument.uri);
      if (open === undefined) return { data: [] };
      const [start, end] = [open.document.offsetAt(range.start), open.document.offsetAt(range.end)];
      return encode(open, tokens(open.analysis, { start, end }));
    });
  },
};

function encode({ document }: OpenConfig, found: readonly Token[]): SemanticTokens {
  const builder = new SemanticTokensBuilder();
  for (const { span, type, modifier } of found) {
    const { line, character } = document.positionAt(span.start);
    const modifiers = modifier ? 1 << tokenModifiers.indexOf(modifier) : 0;
    builder.push(line, character, span.end - span.start, tokenTypes.indexOf(type), modifiers);
  }
  return builder.build();
}

export const tokenFeatures: readonly Feature[] = [tokenFeature];
