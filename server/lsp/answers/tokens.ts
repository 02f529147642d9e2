/** Semantic tokens in the encoding of the protocol: each token is relative to the previous one. */
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
    /** The last answer for each document. */
    const answers = new WeakMap<TextDocument, Encoding & { readonly resultId: string }>();
    let count = 0;
    const keep = (document: TextDocument, encoding: Encoding): SemanticTokens => {
      count += 1;
      const answer = { resultId: String(count), ...encoding };
      answers.set(document, answer);
      return { resultId: answer.resultId, data: answer.data };
    };
    const inFile = inConfig(session, ({ document, analysis }) =>
      keep(document, encode(document, tokenGroups(analysis), answers.get(document))),
    );
    const sinceBefore = inConfig(
      session,
      (
        { document, analysis },
        { previousResultId }: SemanticTokensDeltaParams,
      ): SemanticTokens | SemanticTokensDelta => {
        const before = answers.get(document);
        const encoding = encode(document, tokenGroups(analysis), before);
        const now = keep(document, encoding);
        if (before?.resultId !== previousResultId) return now;
        const { same } = encoding;
        const edits = changesBetween(
          before.data.slice(same.first, before.data.length - same.last),
          now.data.slice(same.first, now.data.length - same.last),
        );
        return {
          resultId: now.resultId ?? '',
          edits: edits.map((edit) => ({ ...edit, start: edit.start + same.first })),
        };
      },
    );
    const inRange = inConfig(session, ({ document, analysis }, { range }: SemanticTokensRangeParams) => ({
      data: encode(document, [{ base: 0, tokens: tokens(analysis, toSpan(document, range)) }]).data,
    }));
    semanticTokens.on((params) => inFile(params) ?? { data: [] });
    semanticTokens.onDelta((params) => sinceBefore(params) ?? { data: [] });
    semanticTokens.onRange((params) => inRange(params) ?? { data: [] });
  },
};

/** Encoded tokens, each relative to the previous one, and the distance from the start to the last token. */
interface RelativeTokens {
  readonly data: readonly number[];
  readonly lines: number;
  /**
   * The column distance of the last token: from the first token if both are in the same line, otherwise from the start of the line.
   */
  readonly characters: number;
}

const known = new WeakMap<readonly SemanticToken[], RelativeTokens>();

interface PlacedGroup extends TokenGroup {
  /** The line of the first token. */
  readonly line: number;
  readonly character: number;
}

/** The encoded tokens of a file, and the groups that they were made from. */
interface Encoding {
  readonly groups: readonly PlacedGroup[];
  /** For each group, the position in `data` at which it ends. */
  readonly ends: readonly number[];
  readonly data: number[];
  /** How many numbers at the start and at the end are the same as in the previous encoding. */
  readonly same: { readonly first: number; readonly last: number };
}

const nothing: Encoding = { groups: [], ends: [], data: [], same: { first: 0, last: 0 } };

/** Encodes only the changed tokens, and copies all other numbers in one step. */
function encode(document: TextDocument, found: readonly TokenGroup[], before: Encoding = nothing): Encoding {
  const groups = found.flatMap(({ base, tokens: list }): PlacedGroup[] => {
    const [first] = list;
    return first ? [{ base, tokens: list, ...document.positionAt(first.span.start + base) }] : [];
  });
  const old = before.groups;
  const most = Math.min(groups.length, old.length);
  let first = 0;
  while (first < most && isSame(groups[first], old[first], 0)) first += 1;
  let last = 0;
  const moved = (groups.at(-1)?.line ?? 0) - (old.at(-1)?.line ?? 0);
  while (last < most - first && isSame(groups.at(-1 - last), old.at(-1 - last), moved)) last += 1;
  // The distance of a group from the previous one may differ if it is the first group after a change.
  last = Math.max(last - 1, 0);
  const middle = encodeGroups(document, groups.slice(0, groups.length - last), first);
  const firstEnd = before.ends[first - 1] ?? 0;
  const lastStart = before.ends[old.length - last - 1] ?? 0;
  const ofLast = last === 0 ? 0 : before.data.length - lastStart;
  const data = before.data
    .slice(0, firstEnd)
    .concat(middle.data, before.data.slice(before.data.length - ofLast));
  const grown = data.length - before.data.length;
  return {
    groups,
    data,
    ends: [
      ...before.ends.slice(0, first),
      ...middle.ends.map((end) => end + firstEnd),
      ...before.ends.slice(old.length - last).map((end) => end + grown),
    ],
    same: { first: firstEnd, last: ofLast },
  };
}

function isSame(now: PlacedGroup | undefined, before: PlacedGroup | undefined, moved: number): boolean {
  return (
    now !== undefined &&
    now.tokens === before?.tokens &&
    now.character === before.character &&
    now.line === before.line + moved
  );
}

/** Encodes the groups from the given index. */
function encodeGroups(
  document: TextDocument,
  groups: readonly PlacedGroup[],
  from: number,
): { readonly data: number[]; readonly ends: readonly number[] } {
  const data: number[] = [];
  const ends: number[] = [];
  const before = groups[from - 1];
  let [line, character] = before ? endOf(document, before) : [0, 0];
  for (const group of groups.slice(from)) {
    data.push(group.line - line, group.line === line ? group.character - character : group.character);
    // The distance of the first token is left out. The spread operator is avoided, because texts may be long.
    const relative = relativeOf(document, group);
    for (let at = 2; at < relative.data.length; at += 1) data.push(relative.data[at] ?? 0);
    ends.push(data.length);
    [line, character] = endOf(document, group);
  }
  return { data, ends };
}

/** Returns the beginning of the last token of a group. */
function endOf(document: TextDocument, group: PlacedGroup): readonly [line: number, character: number] {
  const { lines, characters } = relativeOf(document, group);
  return [group.line + lines, lines === 0 ? group.character + characters : characters];
}

function relativeOf(document: TextDocument, group: TokenGroup): RelativeTokens {
  const relative = known.get(group.tokens) ?? readRelative(document, group);
  known.set(group.tokens, relative);
  return relative;
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

/** Returns one edit, from the first number that differs to the last one. */
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
