/** Types in the middle of a file, with the requests that editors send after each letter. */
import type { Position } from 'vscode-languageserver';
import type { MeasuredServer } from './server.ts';
import type { BenchText } from './texts.ts';

const uri = 'file:///bench/sync.yaml';
const textDocument = { uri };
const word = 'own';

type Question = (server: MeasuredServer, text: BenchText, at: Position) => Promise<unknown>;

/** The questions in their order. The first answer waits for the effects of the letter. */
const questions = {
  'keystroke to diagnostics': (server) => server.diagnosed(uri),
  completion: (server, _, position) => server.request('textDocument/completion', { textDocument, position }),
  'completion of a table': (server, { line, tableColumn }) =>
    server.request('textDocument/completion', {
      textDocument,
      position: { line: line - 1, character: tableColumn },
    }),
  // Behind `WHERE`, where whole conditions are offered.
  'completion of a condition': (server, { line, column }) =>
    server.request('textDocument/completion', {
      textDocument,
      position: { line, character: column - 'l.'.length },
    }),
  // The key `query` of the stream.
  hover: (server, { line }) =>
    server.request('textDocument/hover', { textDocument, position: { line: line - 2, character: 5 } }),
  symbols: (server) => server.request('textDocument/documentSymbol', { textDocument }),
  formatting: (server) =>
    server.request('textDocument/formatting', {
      textDocument,
      options: { tabSize: 2, insertSpaces: true },
    }),
  // The name of the stream.
  rename: (server, { line }) =>
    server.request('textDocument/rename', {
      textDocument,
      position: { line: line - 3, character: 4 },
      newName: 'renamed',
    }),
  tokens: (server) => server.request('textDocument/semanticTokens/full', { textDocument }),
  actions: (server, { line, column }) => {
    const place = { line, character: column };
    const context = { diagnostics: [], triggerKind: 1 };
    return server.request('textDocument/codeAction', {
      textDocument,
      range: { start: place, end: place },
      context,
    });
  },
} satisfies Record<string, Question>;

export type QuestionName = keyof typeof questions;

/** The questions that every server for YAML answers. */
export const commonQuestions: readonly QuestionName[] = [
  'keystroke to diagnostics',
  'completion',
  'hover',
  'symbols',
  'formatting',
];
export const allQuestions = Object.keys(questions) as readonly QuestionName[];

export interface TypingTimes {
  /** Milliseconds until the first diagnostics. */
  readonly open: number;
  /** Milliseconds of each round. Infinite from where the server was given up. */
  readonly answers: ReadonlyMap<QuestionName, readonly number[]>;
  readonly memory: ReturnType<MeasuredServer['memory']>;
}

/** Milliseconds after which nobody waits any longer: for an answer, and for the first look at a file. */
const patience = { answer: 30_000, open: 60_000 };

/** @param warmUp rounds that are not counted: nobody's first letter in a file */
export async function typeInto(
  server: MeasuredServer,
  text: BenchText,
  asked: readonly QuestionName[],
  { rounds, warmUp }: { readonly rounds: number; readonly warmUp: number },
): Promise<TypingTimes> {
  const open = await timeOf(async () => {
    await server.open(uri, text.text);
    await server.diagnosed(uri);
  }, patience.open);
  const answers = new Map<QuestionName, number[]>(asked.map((name) => [name, []]));
  const lost = new Set<QuestionName>(open === Number.POSITIVE_INFINITY ? asked : []);
  for (let round = 0; round < warmUp + rounds && lost.size < asked.length; round += 1) {
    const at = await typeLetter(server, text, round);
    for (const name of asked) {
      if (lost.has(name)) continue;
      const time = await timeOf(() => questions[name](server, text, at));
      if (round >= warmUp || time === Number.POSITIVE_INFINITY) answers.get(name)?.push(time);
      if (time === Number.POSITIVE_INFINITY) for (const other of asked) lost.add(other);
    }
  }
  return { open, answers, memory: server.memory() };
}

/** A letter more each time, then the word is gone again. Returns where the cursor is. */
export async function typeLetter(
  server: MeasuredServer,
  { line, column }: BenchText,
  round: number,
  file: string = uri,
): Promise<Position> {
  const typed = round % (word.length + 1);
  const isLast = typed === word.length;
  const start = { line, character: column + (isLast ? 0 : typed) };
  const end = { line, character: column + typed };
  await server.change(file, { start, end }, isLast ? '' : (word[typed] ?? ''));
  return { line, character: isLast ? column : column + typed + 1 };
}

async function timeOf(ask: () => Promise<unknown>, most: number = patience.answer): Promise<number> {
  const start = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<'too late'>((resolve) => {
    timer = setTimeout(resolve, most, 'too late');
  });
  const outcome = await Promise.race([ask(), tooLate]).catch(() => 'too late');
  clearTimeout(timer);
  return outcome === 'too late' ? Number.POSITIVE_INFINITY : performance.now() - start;
}
