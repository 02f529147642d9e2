/** Finds the words of PostgreSQL in the code, apart from the rooms that know it. `architecture.test.ts` has the rule. */
import { parseAst } from 'vitest/node';
import type { Source } from './imports.ts';

/** The rooms that may know PostgreSQL, with the reason. */
const rooms: Readonly<Record<string, string>> = {
  'server/service/replication/postgres/': 'a source',
  'server/service/replication/embedded/': 'a source',
  'server/service/storage/postgres/': 'a storage, in which a PostgreSQL server keeps the data',
  'server/service/postgres/': 'connections to PostgreSQL servers, for that source and that storage',
  'server/service/config/': 'the keys of a service config, which name its connections',
};

/** Words that have another meaning in some rooms. */
const otherMeanings: readonly { readonly word: string; readonly where: RegExp; readonly means: string }[] = [
  {
    word: 'timeline',
    where: /^server\/service\/(watching|assembly|workers|commands|ground)\//,
    means: "the service's own list of events, which the API returns under this name",
  },
  {
    word: 'slot',
    where: /^server\/service\/storage\/embedded\/places\//,
    means: 'an entry of a hash table',
  },
];

export function knowsPostgres(path: string): boolean {
  return Object.keys(rooms).some((room) => path.startsWith(room));
}

export interface WordCount {
  readonly names: number;
  readonly comments: number;
  /** Strings and templates, without the paths of imports. */
  readonly texts: number;
}

const words = new Set([
  ...['lsn', 'lsns', 'wal', 'slot', 'slots', 'oid', 'oids', 'relation', 'relations', 'relfilenode'],
  ...['timeline', 'timelines', 'pg', 'pgoutput', 'psql', 'publication', 'publications', 'postgres'],
  ...['postgresql', 'tuple', 'tuples', 'toast', 'ctid', 'xid', 'xmin', 'regclass', 'vacuum', 'sqlstate'],
]);

/** Returns the words of PostgreSQL in a name or a sentence: `slotName` has one, `walStatus of pg_stat` has two. */
export function sourceWordsIn(text: string): readonly string[] {
  const parts = text
    .replaceAll('PostgreSQL', 'Postgresql')
    .replace(/replica ?identity/gi, 'relation')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return parts.filter((part) => words.has(part));
}

export function countSourceWords({ path, text }: Source): WordCount {
  const count = { names: 0, comments: 0, texts: 0 };
  const others = otherMeanings.filter(({ where }) => where.test(path)).map(({ word }) => word);
  const countIn = (found: string): number =>
    sourceWordsIn(found).filter((word) => !others.includes(word.replace(/s$/, ''))).length;
  for (const comment of commentsIn(text)) count.comments += countIn(comment);
  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }), (node) => {
    if (node.type === 'Identifier' || node.type === 'PrivateIdentifier')
      count.names += countIn(String(node.name));
    if (node.type === 'Literal' && typeof node.value === 'string') count.texts += countIn(node.value);
    if (node.type === 'TemplateElement')
      count.texts += countIn((node.value as { readonly cooked: string }).cooked);
  });
  return count;
}

function commentsIn(text: string): readonly string[] {
  const found = text.matchAll(/(?<=^|[\s;{}(,])(?:\/\*\*?[\s\S]*?\*\/|\/\/ .*)/g);
  return [...found].map(([comment]) => comment);
}

type Node = Readonly<Record<string, unknown>>;

function visit(node: unknown, take: (node: Node) => void): void {
  if (Array.isArray(node)) for (const each of node) visit(each, take);
  if (typeof node !== 'object' || node === null || !('type' in node)) return;
  take(node as Node);
  for (const [key, child] of Object.entries(node)) if (key !== 'source') visit(child, take);
}
