/** Whatever an editor asks: a row for each request, which makes its parameters for a place. */
import type { Position } from 'vscode-languageserver';
import { reviewRequest, schemaStatusRequest } from '../../server/protocol.ts';
import type { Random } from '../consistency/random.ts';
import { positionIn } from './edits.ts';

export interface Place {
  readonly uri: string;
  readonly text: string;
}

type ParamsOf = (place: Place, random: Random) => object;

const ofDocument: ParamsOf = ({ uri }) => ({ textDocument: { uri } });

const atPosition: ParamsOf = ({ uri, text }, random) => ({
  textDocument: { uri },
  position: positionIn(text, random),
});

const inRange: ParamsOf = ({ uri, text }, random) => ({
  textDocument: { uri },
  range: rangeIn(text, random),
});

const options = { tabSize: 2, insertSpaces: true };
const newNames = ['ours', 'with space', '"quoted"', '', 'select', 'lists', 'a'.repeat(200), "it's"];
const actionKinds = [
  'quickfix',
  'refactor',
  'source.fixAll',
  'source.fixAll.headwater',
  'source.formatQueries.headwater',
  '',
];

export const requests: Readonly<Record<string, ParamsOf>> = {
  'textDocument/diagnostic': ofDocument,
  'textDocument/completion': (place, random) => ({
    ...atPosition(place, random),
    context: random.pick([{ triggerKind: 1 }, { triggerKind: 2, triggerCharacter: '.' }]),
  }),
  'completionItem/resolve': (_, random) => ({
    label: 'x',
    data: random.pick([undefined, null, 'x', { list: random.below(5_000), index: random.below(60) }]),
  }),
  'textDocument/hover': atPosition,
  'textDocument/signatureHelp': atPosition,
  'textDocument/definition': atPosition,
  'textDocument/references': (place, random) => ({
    ...atPosition(place, random),
    context: { includeDeclaration: random.below(2) === 0 },
  }),
  'textDocument/documentHighlight': atPosition,
  'textDocument/prepareRename': atPosition,
  'textDocument/rename': (place, random) => ({
    ...atPosition(place, random),
    newName: random.pick(newNames),
  }),
  'textDocument/documentSymbol': ofDocument,
  'workspace/symbol': (_, random) => ({ query: random.pick(['', 'l', 'by', 'ünï', '.*(', 'LISTS']) }),
  'textDocument/foldingRange': ofDocument,
  'textDocument/selectionRange': ({ uri, text }, random) => ({
    textDocument: { uri },
    positions: [positionIn(text, random), positionIn(text, random)],
  }),
  'textDocument/documentLink': ofDocument,
  'textDocument/inlayHint': inRange,
  'textDocument/codeLens': ofDocument,
  'textDocument/semanticTokens/full': ofDocument,
  'textDocument/semanticTokens/range': inRange,
  'textDocument/codeAction': (place, random) => ({
    ...inRange(place, random),
    context: {
      diagnostics: [],
      triggerKind: 1 + random.below(2),
      ...(random.below(2) === 0 && { only: [random.pick(actionKinds)] }),
    },
  }),
  'textDocument/formatting': (place, random) => ({ ...ofDocument(place, random), options }),
  'textDocument/rangeFormatting': (place, random) => ({ ...inRange(place, random), options }),
  'textDocument/onTypeFormatting': (place, random) => ({ ...atPosition(place, random), ch: '\n', options }),
  [schemaStatusRequest]: ({ uri }) => ({ uri }),
  [reviewRequest]: ({ uri, text }, random) => ({
    uri,
    text,
    ...(random.below(2) === 0 && { before: text.slice(0, random.below(text.length + 1)) }),
  }),
};

function rangeIn(text: string, random: Random): { start: Position; end: Position } {
  const [one, other] = [positionIn(text, random), positionIn(text, random)];
  const isBefore = one.line < other.line || (one.line === other.line && one.character <= other.character);
  return isBefore ? { start: one, end: other } : { start: other, end: one };
}
