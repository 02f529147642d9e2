/**
 * Measures whether completion offers the words of finished configs: the rest of a word is removed, and completion at that place
 * should offer the word. Only words that can be known count: keys and values that the schema lists, key words of SQL, functions,
 * and names from the source or from SQL elsewhere in the file.
 */
import { type Analysis, type AnalyzeInput, analyze } from '../../../server/engine/index.ts';
import type { Catalog } from '../../../server/engine/model/catalog.ts';
import { tokenize } from '../../../server/engine/sql/lexer.ts';
import { selectsIn } from '../../../server/engine/sql/walk.ts';
import type { Span } from '../../../server/engine/text/span.ts';
import type { YamlNode } from '../../../server/engine/yaml/nodes.ts';
import { outlineAt } from '../../../server/engine/yaml/outline/outline.ts';
import { walk } from '../../../server/engine/yaml/walk.ts';
import { completions } from '../../../server/features/completion/completion.ts';
import type { Completion } from '../../../server/features/completion/item.ts';
import { schemaAt } from '../../../server/features/reading/schemaAt.ts';
import { sqlTextsOf } from '../../../server/features/reading/sqlTexts.ts';
import { inEditor } from './completions.ts';

export interface FinishedConfig {
  readonly name: string;
  readonly text: string;
  readonly input: AnalyzeInput;
}

export interface WantedWord {
  readonly span: Span;
  /** The end of the value or line of the word. In a new text, the rest up to this offset has not been written yet. */
  readonly end: number;
  readonly kind: 'key' | 'value' | 'word' | 'text';
}

/** Whether the text after the word has already been written. */
export type Writing = 'new text' | 'old text';

/** Returns the words that could be wanted, in no particular order. */
export function wordsOf({ text, input }: FinishedConfig): readonly WantedWord[] {
  const analysis = analyze(text, input);
  return [...wordsOfYaml(analysis), ...wordsOfSql(analysis)];
}

function wordsOfYaml(analysis: Analysis): WantedWord[] {
  const { text, kind, config } = analysis;
  return (config?.parts ?? []).flatMap(({ base, reading: { root } }) => {
    const found: WantedWord[] = [];
    if (root)
      walk(root, (node) => {
        const word = wordOfYaml(node, base, text, kind);
        if (word) found.push(word);
      });
    return found;
  });
}

function wordOfYaml(
  node: YamlNode,
  base: number,
  text: string,
  kind: Analysis['kind'],
): WantedWord | undefined {
  if (node.kind !== 'scalar' || node.style !== 'plain' || node.span.end === node.span.start) return undefined;
  const at = { start: node.span.start + base, end: node.span.end + base };
  const place = outlineAt(text, at.end);
  const end = text.indexOf('\n', at.end);
  const line = end < 0 ? text.length : end;
  if (place?.kind === 'word' && place.isKey) {
    const properties = schemaAt(kind, place.path)?.properties ?? {};
    return Object.hasOwn(properties, node.text) ? { span: at, end: line, kind: 'key' } : undefined;
  }
  if (place === undefined) return undefined;
  const schema = schemaAt(kind, place.path);
  const values = [...(schema?.enum ?? []), ...(schema?.type === 'boolean' ? [true, false] : [])];
  return values.map(String).includes(node.text) ? { span: at, end: at.end, kind: 'value' } : undefined;
}

function wordsOfSql(analysis: Analysis): WantedWord[] {
  return sqlTextsOf(analysis).flatMap(({ text: { sql, place }, base, span }) => {
    const names = new Set(namesGiven(sql.statements).map(({ start }) => start));
    const { tokens } = tokenize(sql.text);
    return tokens.flatMap((token, index): WantedWord[] => {
      const isText = token.kind === 'string';
      const isStar = token.text === '*' && tokens[index - 1]?.text === 'select';
      if (token.kind !== 'word' && token.kind !== 'quoted' && !isText && !isStar) return [];
      if (names.has(token.start) || (isText && !isName(token.text))) return [];
      const inSql = isText ? { start: token.start + 1, end: token.end - 1 } : token;
      const local = place({ start: inSql.start, end: inSql.end });
      // There is an escape in the word, so the text at this place differs from the word.
      if (local.end - local.start !== inSql.end - inSql.start) return [];
      const at = { start: local.start + base, end: local.end + base };
      return [{ span: at, end: endOfSql(analysis.text, span), kind: isText ? 'text' : 'word' }];
    });
  });
}

function isName(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text);
}

/** Returns the end of the SQL, without a closing quote and trailing white space. */
function endOfSql(text: string, { start, end }: Span): number {
  const isQuoted = /["']/.test(text[start] ?? '');
  return start + text.slice(start, isQuoted ? end - 1 : end).trimEnd().length;
}

/** Returns the places of aliases. Completion cannot know them, because the writer invents them. */
function namesGiven(
  statements: ReturnType<typeof sqlTextsOf>[number]['text']['sql']['statements'],
): readonly Span[] {
  return statements
    .flatMap(selectsIn)
    .flatMap(({ columns, from }) => [
      ...columns.flatMap(({ alias }) => alias?.span ?? []),
      ...from.flatMap(({ source: { alias } }) => [
        ...(alias ? [alias.name.span] : []),
        ...(alias?.columns ?? []).map((column) => column.span),
      ]),
    ]);
}

export interface OfferedPlace {
  /** The place of the word in the list, from 1. Undefined if the word is not offered. */
  readonly place: number | undefined;
  readonly offered: readonly string[];
}

/** Asks for the word after some of its letters were typed. Returns undefined if the word cannot be known. */
export function askFor(
  { text, input }: FinishedConfig,
  { span, end, kind }: WantedWord,
  typed: number,
  writing: Writing,
): OfferedPlace | undefined {
  const offset = span.start + typed;
  const rest = text.slice(writing === 'new text' ? Math.max(end, span.end) : span.end);
  const cut = text.slice(0, offset) + rest;
  const wanted = text.slice(span.start, span.end);
  if ((kind === 'word' || kind === 'text') && !isKnown(wanted, text, cut, input.catalog)) return undefined;
  const analysis = analyze(cut, input);
  const offered = completions(analysis, offset, {
    environmentNames: () => [],
    others: () => [],
    catalog: () => input.catalog,
  });
  const shown = inEditor(offered, cut, offset);
  const at = shown.findIndex((item) => isWanted(item, text, span));
  return { place: at < 0 ? undefined : at + 1, offered: shown.map(({ label }) => label) };
}

const known = oncePerCatalog();

/** Whether the word is a key word, a name of the source, or a word of the remaining file. */
function isKnown(wanted: string, text: string, cut: string, catalog: Catalog | undefined): boolean {
  const name = wanted.replace(/^"|"$/g, '');
  if (catalog && known(catalog).has(name.toLowerCase())) return true;
  const everywhere = new RegExp(`(?<![\\w-])${name.replace(/[^\w]/g, '\\$&')}(?![\\w-])`, 'gi');
  const count = (of: string) => of.match(everywhere)?.length ?? 0;
  return isLanguage(name) || (count(cut) > 0 && count(text) > 1);
}

function isLanguage(name: string): boolean {
  return language.has(name.toLowerCase()) || name === '*';
}

const language = new Set(
  `select from where and or not in is null join inner on as auth request subscription connection bucket user_id
  parameter parameters jwt between case when then else end cast text integer token_parameters user_parameters upper lower
  substring ifnull iif json_each length true false array`.split(/\s+/),
);

function oncePerCatalog(): (catalog: Catalog) => ReadonlySet<string> {
  const found = new WeakMap<Catalog, ReadonlySet<string>>();
  return (catalog) => {
    const before = found.get(catalog);
    if (before) return before;
    const names = new Set<string>();
    for (const { name, columns } of catalog.tables) {
      names.add(name.toLowerCase());
      for (const column of columns.keys()) names.add(column.toLowerCase());
    }
    found.set(catalog, names);
    return names;
  };
}

/** Whether the completion restores the removed text, at least to the end of the word. */
function isWanted({ kind, label, insert, span }: Completion, text: string, word: Span): boolean {
  const wanted = text.slice(word.start, word.end);
  if (kind === 'key') return label === wanted;
  const stop = insert.findIndex((part) => typeof part !== 'string');
  const written = plain(insert.slice(0, stop < 0 ? insert.length : stop).join('')).replace(/[ (']+$/, '');
  const least = plain(text.slice(span.start, word.end)).replace(/'$/, '');
  return written.length >= least.length && plain(text.slice(span.start)).startsWith(written);
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trimStart().toLowerCase();
}
