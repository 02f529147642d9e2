/** Completes the condition of a claim: columns of its table and of the tables in its subqueries, and values of the user. */
import { type Span, span } from '../../engine/text/span.ts';
import type { Completion, CompletionKind } from '../completion/item.ts';
import type { TestsInEditor } from './inEditor.ts';
import { columnsToWrite, requestNames, sourceTables } from './names.ts';

/** @param start the start of the condition */
export function claimCompletions(
  tests: TestsInEditor,
  table: string,
  start: number,
  offset: number,
): readonly Completion[] {
  const { text } = tests.analysis;
  const before = text.slice(start, offset);
  // Strings and comments contain no names.
  if ((before.match(/'/g)?.length ?? 0) % 2 === 1) return [];
  const [word = ''] = /[\w.]*$/.exec(before) ?? [];
  const at = span(offset - word.length, offset + (/^\w*/.exec(text.slice(offset))?.[0].length ?? 0));
  const names = namesIn(text.slice(start, lineEnd(text, offset)));
  const dot = word.lastIndexOf('.');
  if (dot !== -1) {
    const owner = word.slice(0, dot);
    const asked = askedValues(tests).filter((each) => each.startsWith(`${owner}.`));
    if (asked.length > 0) return toItems(asked, 'function', 'value of the user', at);
    return columnItems(tests, names.get(owner) ?? owner, at, `${owner}.`);
  }
  if (/\b(?:from|join)\s+\w*$/i.test(before)) return toItems(sourceTables(tests), 'table', 'table', at);
  return [
    ...toItems(askedValues(tests), 'function', 'value of the user', at),
    ...[...new Set([table, ...names.values()])].flatMap((each) => columnItems(tests, each, at, '')),
  ];
}

/** Returns the tables of subqueries by their names or aliases. */
function namesIn(condition: string): ReadonlyMap<string, string> {
  const found = condition.matchAll(
    /\b(?:from|join)\s+(\w+)(?:\s+(?:as\s+)?(?!where|on|join|and|or)(\w+))?/gi,
  );
  return new Map([...found].map(([, table = '', alias = table]) => [alias, table]));
}

function askedValues(tests: TestsInEditor): readonly string[] {
  const parameter = (part: 'auth' | 'connection') =>
    requestNames(tests, part)
      .filter((name) => part !== 'auth' || name !== 'sub')
      .map((name) => `${part}.parameter('${name.replaceAll("'", "''")}')`);
  return ['auth.user_id()', ...parameter('auth'), ...parameter('connection')];
}

function columnItems(tests: TestsInEditor, table: string, at: Span, prefix: string): readonly Completion[] {
  const columns = columnsToWrite(tests, table).map((column) => `${prefix}${column}`);
  return toItems([...new Set([`${prefix}id`, ...columns])], 'column', `column of ${table}`, at);
}

function toItems(
  names: readonly string[],
  kind: CompletionKind,
  detail: string,
  at: Span,
): readonly Completion[] {
  return names.map((name) => ({ label: name, kind, detail, insert: [name], span: at, rank: 0 }));
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end;
}
