/** The state for `position.ts`: the open queries, calls and parentheses, and what each one expects next. */
import type { Token } from '../token.ts';
import { reservedWords, valueWords } from '../words.ts';

export type ExpectedPart =
  /** The text is still empty. */
  | 'statement'
  | 'value'
  /** After a value, an operator or the end of the clause is expected. */
  | 'operator'
  | 'table'
  /** After a table, its alias, a join or the next clause is expected. */
  | 'join'
  | 'join word'
  /** A name is expected after AS. */
  | 'name'
  | 'type'
  /** A test is expected after IS. */
  | 'test'
  /** A key is expected after `->`. */
  | 'key'
  /** The position is inside a string in single quotes. */
  | 'text'
  | 'nothing';

export type ClausePart = 'none' | 'columns' | 'from' | 'on' | 'where' | 'rest';

export interface OpenQuery {
  readonly start: number;
  /** Whether the query is in a FROM, where it does not see the other tables. */
  readonly isSource: boolean;
}

export interface Callee {
  readonly schema?: string;
  readonly name: string;
}

interface Frame {
  kind: 'query' | 'parentheses' | 'call' | 'case';
  clause: ClausePart;
  expected: ExpectedPart;
  /** Whether the last table was joined and has no ON yet. */
  joined?: boolean;
  readonly call?: { readonly callee: Callee; readonly start: number; argument: number };
  readonly query?: OpenQuery;
}

export function openFrames(): Frame[] {
  return [{ kind: 'query', clause: 'none', expected: 'statement' }];
}

const clauseOf: Readonly<Record<string, ClausePart>> = {
  select: 'columns',
  from: 'from',
  where: 'where',
  on: 'on',
  group: 'rest',
  having: 'rest',
  order: 'rest',
  limit: 'rest',
  offset: 'rest',
  fetch: 'rest',
  union: 'none',
};

/** The part that is expected after each keyword of a query. */
const behindWord: ReadonlyMap<string, ExpectedPart> = new Map(
  (
    [
      ['value', 'from and or not in like ilike between when then else distinct'],
      ['test', 'is'],
      ['operator', 'isnull notnull null true false'],
      ['table', 'join'],
      ['join word', 'inner left right full cross outer'],
      ['nothing', 'using'],
    ] as const
  ).flatMap(([expected, words]) => words.split(' ').map((word) => [word, expected] as const)),
);

const behindClause: Readonly<Record<ClausePart, ExpectedPart>> = {
  none: 'statement',
  columns: 'value',
  from: 'table',
  on: 'value',
  where: 'value',
  rest: 'nothing',
};

/** Processes one more word or symbol. */
export function readToken(frames: Frame[], tokens: readonly Token[], index: number, token: Token): void {
  const frame = top(frames);
  switch (token.kind) {
    case 'word':
      readWord(frames, token.text, tokens, index);
      break;
    case 'symbol':
      readSymbol(frames, tokens, index, token);
      break;
    case 'quoted':
      readName(frame);
      break;
    default:
      frame.expected = 'operator';
  }
}

function readWord(frames: Frame[], word: string, tokens: readonly Token[], index: number): void {
  const frame = top(frames);
  const isMember = tokens[index - 1]?.text === '.';
  const isName = isMember || (!reservedWords.has(word) && !valueWords.has(word));
  const clause = clauseOf[word];
  if (isName && word !== 'between') readName(frame);
  else if (word === 'select') startQuery(frames, tokens[index]?.start ?? 0);
  else if (clause !== undefined && !isOfCall(frame, word)) {
    leaveTo(frames, 'query', { clause, expected: behindClause[clause], joined: false });
  } else if (word === 'case') {
    frames.push({ kind: 'case', clause: frame.clause, expected: 'value' });
  } else if (word === 'end' && frame.kind === 'case') {
    frames.pop();
    top(frames).expected = 'operator';
  } else if (word === 'as') {
    frame.expected = frame.call?.callee.name === 'cast' ? 'type' : 'name';
  } else if (word === 'join') {
    leaveTo(frames, 'query', { clause: 'from', expected: 'table', joined: true });
  } else if (valueWords.has(word)) frame.expected = 'operator';
  else if (word !== 'not' || frame.expected !== 'test')
    frame.expected = behindWord.get(word) ?? frame.expected;
}

/** Starts a query. Parentheses become those of the query, and a query that is already there is replaced. */
function startQuery(frames: Frame[], start: number): void {
  while (frames.length > 1 && top(frames).kind === 'case') frames.pop();
  const { kind, clause } = top(frames);
  frames.pop();
  const query = { start, isSource: kind !== 'query' && clause === 'from' };
  frames.push({ kind: 'query', clause: 'columns', expected: 'value', query });
}

/** Whether a word belongs to the grammar of the call, as in `substring(x FROM 1 FOR 2)`. */
function isOfCall({ call }: Frame, word: string): boolean {
  return (
    call !== undefined &&
    word === 'from' &&
    /^(?:substring|extract|overlay|trim|position)$/.test(call.callee.name)
  );
}

/** Closes everything that is still open inside the query, because it was not finished. */
function leaveTo(
  frames: Frame[],
  kind: Frame['kind'],
  next: Pick<Frame, 'clause' | 'expected' | 'joined'>,
): void {
  while (frames.length > 1 && top(frames).kind !== kind) frames.pop();
  Object.assign(top(frames), next);
}

function readName(frame: Frame): void {
  if (frame.expected === 'statement') return;
  frame.expected = isFrom(frame) ? 'join' : 'operator';
}

function isFrom({ kind, clause }: Frame): boolean {
  return clause === 'from' && kind !== 'call' && kind !== 'case';
}

function readSymbol(frames: Frame[], tokens: readonly Token[], index: number, token: Token): void {
  const frame = top(frames);
  switch (token.text) {
    case '(':
      frames.push(openFrame(frame, tokens, index));
      break;
    case ')':
      close(frames);
      break;
    case ',':
      readComma(frame);
      break;
    case '.':
      frame.expected = isFrom(frame) ? 'table' : 'value';
      break;
    case ';':
      frames.splice(0, frames.length, { kind: 'query', clause: 'none', expected: 'nothing' });
      break;
    case '*':
      frame.expected = frame.expected === 'value' && frame.kind === 'query' ? 'operator' : 'value';
      break;
    case '->':
    case '->>':
      frame.expected = 'key';
      break;
    case '::':
      frame.expected = 'type';
      break;
    case ']':
      frame.expected = 'operator';
      break;
    default:
      frame.expected = 'value';
  }
}

function openFrame(around: Frame, tokens: readonly Token[], index: number): Frame {
  const before = tokens[index - 1];
  const isName =
    before !== undefined &&
    (before.kind === 'quoted' ||
      (before.kind === 'word' && (!reservedWords.has(before.text) || before.text === 'cast')));
  const { clause } = around;
  if (!isName) {
    const expected = around.expected === 'table' ? 'table' : 'value';
    return { kind: 'parentheses', clause, expected };
  }
  const schema = tokens[index - 2]?.text === '.' ? tokens[index - 3] : undefined;
  const callee = { ...(schema && { schema: schema.text }), name: before.text };
  const call = { callee, start: (schema ?? before).start, argument: 0 };
  return { kind: 'call', clause, expected: 'value', call };
}

function close(frames: Frame[]): void {
  while (frames.length > 1 && top(frames).kind === 'case') frames.pop();
  if (frames.length > 1) frames.pop();
  readName(top(frames));
}

function readComma(frame: Frame): void {
  if (frame.call) frame.call.argument += 1;
  if (frame.kind === 'query' && frame.clause === 'on') frame.clause = 'from';
  frame.joined = false;
  frame.expected = frame.kind === 'query' ? behindClause[frame.clause] : 'value';
}

export function top(frames: readonly Frame[]): Frame {
  return frames.at(-1) as Frame;
}

export function queryOf(frames: readonly Frame[]): Frame {
  return (frames.findLast(({ kind }) => kind === 'query') ?? frames[0]) as Frame;
}
