/** Completes names in an access test file, in addition to the keys of its schema: users, streams, tables, columns and rows. */
import { lineStart } from '../../engine/text/lines.ts';
import { span } from '../../engine/text/span.ts';
import { keyText } from '../../engine/yaml/keys.ts';
import {
  itemAbove,
  outlineAt,
  type PathStep,
  type WordPlace,
  type YamlPlace,
} from '../../engine/yaml/outline/outline.ts';
import { completions } from '../completion/completion.ts';
import { type Completion, type CompletionKind, indentItem } from '../completion/item.ts';
import { wholeTests } from '../completion/snippets.ts';
import type { CompletionWorld } from '../completion/world.ts';
import { claimCompletions } from './claimCompletion.ts';
import type { TestsInEditor } from './inEditor.ts';
import {
  clientTables,
  columnsToWrite,
  requestNames,
  rowIds,
  sourceTables,
  testableStreams,
  userNames,
  valuesToWrite,
} from './names.ts';

interface TestCompletionWorld extends CompletionWorld {
  /** Paths of sync configs, relative to the folder of the file. */
  readonly configs: readonly string[];
}

export function testCompletions(
  tests: TestsInEditor,
  offset: number,
  world: TestCompletionWorld,
): readonly Completion[] {
  const { text } = tests.analysis;
  const place = outlineAt(text, offset);
  const ofSchema = completions(tests.analysis, offset, world);
  const isIndentation = /^ *$/.test(text.slice(lineStart(text, offset), offset));
  if (place === undefined || (world.typed === ' ' && isIndentation)) return ofSchema;
  const path = place.path.map(({ key }) => key ?? '-').join('/');
  if (path === 'always/-/holds' && place.kind === 'value') {
    const table = siblingText(place.path, 'table') ?? '';
    return claimCompletions(tests, table, Math.min(place.start, offset), offset);
  }
  const named = [
    ...namesAt(tests, place, { text, offset }, world),
    ...(place.kind === 'word' ? namesOfItemAbove(tests, place, offset, world) : []),
  ];
  const whole = isEmpty(place) ? [wholeFile(place, world)] : [];
  // Examples from the schema are left out if names are known, because they would hide the names.
  return [...whole, ...named, ...ofSchema.filter(({ detail }) => named.length === 0 || detail !== 'example')];
}

/** Whether the file is empty, apart from the word that is being typed. */
function isEmpty(place: YamlPlace): place is WordPlace {
  return place.kind === 'word' && place.path.length === 0 && !place.isKey && place.siblings().size === 0;
}

function wholeFile({ word }: WordPlace, { configs }: TestCompletionWorld): Completion {
  const insert = wholeTests(configs[0] ?? 'sync.yaml');
  const detail = 'a file with one test';
  return { label: 'access tests', kind: 'snippet', detail, insert, span: word, rank: 0 };
}

function namesOfItemAbove(
  tests: TestsInEditor,
  place: WordPlace,
  offset: number,
  world: TestCompletionWorld,
): readonly Completion[] {
  const above = itemAbove(tests.analysis.text, offset, place);
  if (above === undefined) return [];
  return namesAt(tests, above.place, above, world).map((name) => indentItem(name, above.blanks, place.word));
}

interface Around {
  readonly text: string;
  readonly offset: number;
}

function namesAt(
  tests: TestsInEditor,
  place: YamlPlace,
  { text, offset }: Around,
  world: TestCompletionWorld,
): readonly Completion[] {
  const path = place.path.map(({ key }) => key ?? '-').join('/');
  const inTest = path.replace(/^tests\/-\/(?:steps\/-\/)?/, 'test/');
  const rule = nameRules.find((each) => each.path.test(inTest) && [place.kind, 'any'].includes(each.at));
  if (rule === undefined) return [];
  const named = rule.names(tests, rule.path.exec(inTest)?.[1] ?? '', place, world);
  const known = place.kind === 'word' ? place.siblings() : new Map<string, string>();
  return named.names
    .filter((name) => !known.has(name))
    .map((name) => toCompletion(name, named, rule, place, text, offset));
}

interface Names {
  readonly kind: CompletionKind;
  readonly detail: string;
  readonly names: readonly string[];
}

interface NameRule {
  /** The pattern of the keys above the place. A list item is `-`, and everything that can contain steps is `test`. */
  readonly path: RegExp;
  readonly at: YamlPlace['kind'] | 'any';
  /** @param of the text that the path pattern captures */
  readonly names: (tests: TestsInEditor, of: string, place: YamlPlace, world: TestCompletionWorld) => Names;
  /** The text after a name that is a key: in block style, and in braces. */
  readonly behind?: readonly [block: string, flow: string];
}

const colon = [': ', ': '] as const;
const lists = /^(?:rows|test\/(?:rows|insert|update))/.source;

const nameRules: readonly NameRule[] = [
  {
    path: /^config$/,
    at: 'value',
    names: (_tests, _of, _place, { configs }) => ({ kind: 'value', detail: 'sync config', names: configs }),
  },
  {
    path: /^users\/[^/]+\/claims$/,
    at: 'word',
    names: (tests) => ({
      kind: 'parameter',
      detail: 'claim that the config reads',
      names: requestNames(tests, 'auth').filter((name) => name !== 'sub'),
    }),
    behind: colon,
  },
  {
    path: /^users\/[^/]+\/parameters$/,
    at: 'word',
    names: (tests) => ({
      kind: 'parameter',
      detail: 'parameter that the config reads',
      names: requestNames(tests, 'connection'),
    }),
    behind: colon,
  },
  {
    path: new RegExp(`${lists}$`),
    at: 'word',
    names: (tests) => ({ kind: 'table', detail: 'table', names: sourceTables(tests) }),
    behind: [':\n  - ', ': ['],
  },
  {
    path: /^test\/delete$/,
    at: 'word',
    names: (tests) => ({ kind: 'table', detail: 'table', names: sourceTables(tests) }),
    behind: [': [', ': ['],
  },
  {
    path: new RegExp(`${lists}\\/([^/]+)\\/-$`),
    at: 'word',
    names: (tests, table) => ({
      kind: 'column',
      detail: `column of ${table}`,
      names: columnsToWrite(tests, table),
    }),
    behind: colon,
  },
  {
    path: new RegExp(`${lists}\\/([^/]+)\\/-\\/[^/]+$`),
    at: 'value',
    names: (tests, table, { path }) => {
      const column = path.at(-1)?.key ?? '';
      return { kind: 'value', detail: `value of ${column}`, names: valuesToWrite(tests, table, column) };
    },
  },
  {
    path: /^test\/expect$/,
    at: 'word',
    names: (tests) => ({ kind: 'variable', detail: 'user', names: userNames(tests) }),
    behind: colon,
  },
  {
    path: /^test\/expect\/[^/]+(?:\/[^/]+(?:\/rows)?)?$/,
    at: 'value',
    names: (_tests, _of, { path }) => ({
      kind: 'value',
      detail: 'rows',
      names: path.at(-2)?.key === 'expect' ? ['nothing'] : ['all', 'none'],
    }),
  },
  {
    path: /^test\/expect\/[^/]+$/,
    at: 'word',
    names: (tests) => ({ kind: 'table', detail: 'table of clients', names: clientTables(tests) }),
    behind: colon,
  },
  {
    path: /^test\/(?:delete|expect\/[^/]+)\/([^/]+)(?:\/(?:rows|includes|excludes))?\/-$/,
    at: 'any',
    names: (tests, table) => ({ kind: 'value', detail: `row of ${table}`, names: rowIds(tests, table) }),
  },
  {
    path: /^test\/expect\/[^/]+\/([^/]+)\/columns\/-$/,
    at: 'any',
    names: (tests, table) => ({
      kind: 'column',
      detail: `column of ${table}`,
      names: columnsToWrite(tests, table),
    }),
  },
  {
    path: /^test\/subscribe\/-(?:\/stream)?$/,
    at: 'any',
    names: (tests, _, place) => ({
      kind: 'value',
      detail: 'stream',
      // A map in braces must begin with a key.
      names: place.kind === 'word' && place.flow ? [] : testableStreams(tests),
    }),
  },
  {
    path: /^test\/subscribe\/-\/parameters$/,
    at: 'word',
    names: (tests, _, { path }) => ({
      kind: 'parameter',
      detail: 'parameter of the stream',
      names: requestNames(tests, 'subscription', siblingText(path, 'stream')),
    }),
    behind: colon,
  },
  {
    path: /^always\/-\/table$/,
    at: 'value',
    names: (tests) => ({ kind: 'table', detail: 'table of clients', names: clientTables(tests) }),
  },
];

/** Returns the value of another key in the same map. */
function siblingText(path: readonly PathStep[], key: 'stream' | 'table'): string | undefined {
  return path
    .at(-1)
    ?.siblings()
    .get(key)
    ?.replace(/^["']|["']$|\s+#.*$/g, '');
}

function toCompletion(
  name: string,
  { kind, detail }: Names,
  { behind: [inBlock, inFlow] = ['', ''] }: NameRule,
  place: YamlPlace,
  text: string,
  offset: number,
): Completion {
  const isWord = place.kind === 'word';
  const start = isWord ? place.word.start : Math.min(place.start, offset);
  const end = isWord ? place.word.end : endOfWord(text, offset);
  const glue = text[start - 1] === ':' ? ' ' : '';
  const follows = isWord && !place.isKey ? (place.flow ? inFlow : inBlock) : '';
  return {
    label: name,
    kind,
    detail,
    insert: [`${glue}${writeName(name)}${follows}`],
    span: span(start, end),
    rank: 0,
  };
}

/** Writes a name. Paths need no quotes. */
function writeName(name: string): string {
  return /^[\w./-]*[A-Za-z_/][\w./-]*$/.test(name) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(name)
    ? name
    : keyText(name);
}

function endOfWord(text: string, offset: number): number {
  const word = /[^\s,\]}#"']*/y;
  word.lastIndex = offset;
  word.test(text);
  return word.lastIndex;
}
