/** Semantic tokens in the numbers of the protocol: each relative to the one before. */
import {
  type SemanticTokens,
  SemanticTokensBuilder,
  type SemanticTokensRangeParams,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type SemanticToken, tokenModifiers, tokens, tokenTypes } from '../../features/tokens.ts';
import { toSpan } from './convert.ts';
import { type Feature, inConfig } from './feature.ts';

const tokenFeature: Feature = {
  capabilities: {
    semanticTokensProvider: {
      legend: { tokenTypes: [...tokenTypes], tokenModifiers: [...tokenModifiers] },
      full: true,
      range: true,
    },
  },
  answer({ languages: { semanticTokens } }, session) {
    const inFile = inConfig(session, ({ document, analysis }) =>
      encode(document, tokens(analysis, { start: 0, end: analysis.text.length })),
    );
    const inRange = inConfig(session, ({ document, analysis }, { range }: SemanticTokensRangeParams) =>
      encode(document, tokens(analysis, toSpan(document, range))),
    );
    semanticTokens.on((params) => inFile(params) ?? { data: [] });
    semanticTokens.onRange((params) => inRange(params) ?? { data: [] });
  },
};

function encode(document: TextDocument, found: readonly SemanticToken[]): SemanticTokens {
  const builder = new SemanticTokensBuilder();
  for (const { span, type, modifier } of found) {
    const { line, character } = document.positionAt(span.start);
    const modifiers = modifier ? 1 << tokenModifiers.indexOf(modifier) : 0;
    builder.push(line, character, span.end - span.start, tokenTypes.indexOf(type), modifiers);
  }
  return builder.build();
}

export const tokenFeatures: readonly Feature[] = [tokenFeature];
