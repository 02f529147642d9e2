/** Semantic tokens in the numbers of the protocol: each relative to the one before. */
import type {
  SemanticTokens,
  SemanticTokensDelta,
  SemanticTokensDeltaParams,
  SemanticTokensRangeParams,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import {
  type SemanticToken,
  type TokenGroup,
  tokenGroups,
  tokenModifiers,
  tokens,
  tokenTypes,
} from '../../features/tokens.ts';
import { toSpan } from './convert.ts';
import { type Feature, inConfig } from './feature.ts';

const tokenFeature: Feature = {
  capabilities: {
    semanticTokensProvider: {
      legend: { tokenTypes: [...tokenTypes], tokenModifiers: [...tokenModifiers] },
      full: { delta: true },
      range: true,
    },
  },
  answer({ languages: { semanticTokens } }, session) {
    /** What each document was last answered. */
    const answers = new WeakMap<TextDocument, { readonly resultId: string; readonly data: number[] }>();
    let count = 0;
    const keep = (document: TextDocument, data: number[]) => {
      count += 1;
      const answer = { resultId: String(count), data };
      answers.set(document, answer);
      return answer;
    };
    const inFile = inConfig(session, ({ document, analysis }) =>
      keep(document, encode(document, tokenGroups(analysis))),
    );
    const sinceBefore = inConfig(
      session,
      (
        { document, analysis },
        { previousResultId }: SemanticTokensDeltaParams,
      ): SemanticTokens | SemanticTokensDelta => {
        const before = answers.get(document);
        const now = keep(document, encode(document, tokenGroups(analysis)));
        if (before?.resultId !== previousResultId) return now;
        return { resultId: now.resultId, edits: changesBetween(before.data, now.data) };
      },
    );
    const inRange = inConfig(session, ({ document, analysis }, { range }: SemanticTokensRangeParams) => ({
      data: encode(document, [{ base: 0, tokens: tokens(analysis, toSpan(document, range)) }]),
    }));
    semanticTokens.on((params) => inFile(params) ?? { data: [] });
    semanticTokens.onDelta((params) => sinceBefore(params) ?? { data: [] });
    semanticTokens.onRange((params) => inRange(params) ?? { data: [] });
  },
};

/** Of one list of tokens: each after the first relative to the one before, and how far it is to the last one. */
interface RelativeTokens {
  readonly data: readonly number[];
  readonly lines: number;
  /** In the line of the last one: from the first token if that is in the same line, else from the line's start. */
  readonly characters: number;
}

const known = new WeakMap<readonly SemanticToken[], RelativeTokens>();

function encode(document: TextDocument, groups: readonly TokenGroup[]): number[] {
  const data: number[] = [];
  let [line, character] = [0, 0];
  for (const group of groups) {
    const [first] = group.tokens;
    if (first === undefined) continue;
    const start = document.positionAt(first.span.start + group.base);
    const relative = known.get(group.tokens) ?? readRelative(document, group);
    known.set(group.tokens, relative);
    data.push(start.line - line, start.line === line ? start.character - character : start.character);
    // Their distance from the first one is left out; nothing is spread, since texts may be long.
    for (let at = 2; at < relative.data.length; at += 1) data.push(relative.data[at] ?? 0);
    line = start.line + relative.lines;
    character = relative.lines === 0 ? start.character + relative.characters : relative.characters;
  }
  return data;
}

function readRelative(document: TextDocument, { base, tokens: list }: TokenGroup): RelativeTokens {
  const data: number[] = [];
  let before: { readonly line: number; readonly character: number } | undefined;
  let start = before;
  for (const { span, type, modifier } of list) {
    const at = document.positionAt(span.start + base);
    start ??= at;
    const isSameLine = before?.line === at.line;
    data.push(
      at.line - (before ?? at).line,
      isSameLine ? at.character - (before ?? at).character : at.character,
      document.positionAt(span.end + base).character - at.character,
      tokenTypes.indexOf(type),
      modifier ? 1 << tokenModifiers.indexOf(modifier) : 0,
    );
    before = at;
  }
  const lines = (before?.line ?? 0) - (start?.line ?? 0);
  const characters = (before?.character ?? 0) - (lines === 0 ? (start?.character ?? 0) : 0);
  return { data, lines, characters };
}

/** One edit, from the first number that differs to the last one. */
export function changesBetween(
  before: readonly number[],
  now: readonly number[],
): SemanticTokensDelta['edits'] {
  const shorter = Math.min(before.length, now.length);
  let start = 0;
  while (start < shorter && before[start] === now[start]) start += 1;
  if (start === before.length && start === now.length) return [];
  let behind = 0;
  while (behind < shorter - start && before.at(-1 - behind) === now.at(-1 - behind)) behind += 1;
  const data = now.slice(start, now.length - behind);
  return [{ start, deleteCount: before.length - behind - start, ...(data.length > 0 && { data }) }];
}

export const tokenFeatures: readonly Feature[] = [tokenFeature];
