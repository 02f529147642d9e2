/** Adds a counterexample to the file of its claim, as a test that fails until the config is fixed. */
import { applyEdits, type ClaimResult, readTests, runTests, writeTest } from '../../engine/index.ts';
import type { Edit } from '../../engine/text/edit.ts';
import { columnOf } from '../../engine/text/lines.ts';
import { span } from '../../engine/text/span.ts';
import type { YamlMap, YamlNode, YamlPair } from '../../engine/yaml/nodes.ts';
import { readYaml } from '../../engine/yaml/read.ts';
import { lineEnd } from '../../engine/yaml/space.ts';
import type { TestsInEditor } from './inEditor.ts';

/** Returns undefined if the counterexample cannot be written as a failing test. */
export function witnessEdits(
  { analysis: { text }, prepared: { file, subject, seeds } }: TestsInEditor,
  { claim, candidate, clientTable = claim.table.value }: ClaimResult,
): readonly Edit[] | undefined {
  const { root } = readYaml(text);
  if (candidate === undefined || subject === undefined || root?.kind !== 'map') return undefined;
  const user = freeName(
    'witness',
    file.users.map(({ name }) => name.value),
  );
  const title = freeName(
    `${claim.name.value}: a counterexample`,
    file.tests.map(({ name }) => name.value),
  );
  const test = writeTest(title, clientTable, candidate, user);
  const users = addEntry(text, root, 'users', test.user);
  const tests = addItem(text, root, test.lines);
  if (users === undefined || tests === undefined) return undefined;
  const edits = [users, tests];
  // The claim may still hold if the file contains other rows.
  const after = readTests(applyEdits(text, edits)).file;
  const added = after.tests.filter(({ name }) => name.value === title);
  const shows = runTests({ ...after, tests: added }, subject, { seeds }).some(
    ({ failures }) => failures.length > 0,
  );
  return shows ? edits : undefined;
}

function freeName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name;
  let count = 2;
  while (taken.includes(`${name} ${count}`)) count += 1;
  return `${name} ${count}`;
}

function pairOf(root: YamlMap, name: string): YamlPair | undefined {
  return root.pairs.find(({ key }) => key.kind === 'scalar' && key.text === name);
}

/** Adds an entry to the end of a top-level map. If the map does not exist, creates it above the tests. */
function addEntry(text: string, root: YamlMap, name: string, entry: string): Edit | undefined {
  const pair = pairOf(root, name);
  if (pair === undefined) {
    const at = (pairOf(root, 'tests') ?? pairOf(root, 'always'))?.key.span.start;
    return at === undefined ? undefined : { span: span(at, at), text: `${name}:\n  ${entry}\n\n` };
  }
  const { key, value } = pair;
  if (value.kind !== 'map')
    return isNothing(value) ? behindLine(text, key.span.end, `  ${entry}`) : undefined;
  const [first] = value.pairs;
  if (value.flow) {
    const end = value.span.end - 1;
    return { span: span(end, end), text: first === undefined ? ` ${entry} ` : `, ${entry} ` };
  }
  return behindLine(text, value.span.end, indent(columnOf(text, first?.key.span.start ?? 0), entry));
}

/** Adds an item after the last item of `tests`. */
function addItem(text: string, root: YamlMap, lines: readonly string[]): Edit | undefined {
  const pair = pairOf(root, 'tests');
  const write = (column: number) =>
    lines.map((line, index) => indent(column, `${index === 0 ? '- ' : '  '}${line}`)).join('\n');
  if (pair === undefined) {
    const at = pairOf(root, 'always')?.key.span.start;
    return at === undefined ? undefined : { span: span(at, at), text: `tests:\n${write(2)}\n\n` };
  }
  const { key, value } = pair;
  if (value.kind !== 'sequence')
    return isNothing(value) ? behindLine(text, key.span.end, write(2)) : undefined;
  const [first, second] = value.items;
  if (value.flow || first === undefined) return undefined;
  const isTight =
    second !== undefined && !/\n[ \t\r]*\n/.test(text.slice(first.span.start, second.span.start));
  const written = write(columnOf(text, value.span.start));
  return behindLine(text, value.span.end, isTight ? written : `\n${written}`);
}

function isNothing(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === null;
}

/** Inserts a line after the line of the last visible character, including its comment. */
function behindLine(text: string, end: number, line: string): Edit {
  const last = text.slice(0, end).trimEnd().length;
  const at = lineEnd(text, last);
  return { span: span(at, at), text: `\n${line}` };
}

function indent(columns: number, line: string): string {
  return ' '.repeat(columns) + line;
}
