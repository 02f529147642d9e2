/** Resolves the name of a table in claims and in the expectations of tests: it means rows of the source, or rows on clients. */
import { canBecome, matchesTable } from '../plan/evaluate/patterns.ts';
import { rowRulesOf } from '../plan/rowRules.ts';
import { nameInTests, type TestSubject } from './subject.ts';

type TableMeaning =
  | { readonly kind: 'rows of the source' | 'rows of clients' | 'both' | 'unknown' }
  | { readonly kind: 'ambiguous'; readonly sources: readonly string[] };

/**
 * Returns the meaning of a table name. If both the source and clients have such a table, it means the rows of both, unless the
 * client's table contains rows of another source table, in which case it is ambiguous.
 */
export function meaningOfTable(name: string, subject: TestSubject): TableMeaning {
  const rules = rowRulesOf(subject.plans);
  const source = subject.tableNamed(name);
  const isRead = rules.some((rule) => matchesTable(rule.table, source));
  const becoming = rules.filter((rule) => canBecome(rule, name));
  const others = becoming.filter((rule) => !matchesTable(rule.table, source));
  if (isRead && others.length > 0)
    return { kind: 'ambiguous', sources: [...new Set(others.map(({ table }) => table.name.text))] };
  if (isRead) return { kind: becoming.length > 0 ? 'both' : 'rows of the source' };
  return { kind: becoming.length > 0 ? 'rows of clients' : 'unknown' };
}

/** @param pair a source table, and the client table to which its rows are synced */
export function isMeant(
  { source, clientTable }: { readonly source: string | undefined; readonly clientTable: string },
  name: string,
  { kind }: TableMeaning,
): boolean {
  return (
    (kind !== 'rows of clients' && source === name) || (kind !== 'rows of the source' && clientTable === name)
  );
}

/** Returns the client tables in which a name refers to rows of this source table. */
export function clientTablesMeant(name: string, source: string, subject: TestSubject): readonly string[] {
  const table = subject.tableNamed(source);
  const fed = rowRulesOf(subject.plans).flatMap((rule) =>
    matchesTable(rule.table, table) ? [rule.outputTable ?? table.name] : [],
  );
  return [...new Set(fed)].filter((clientTable) => clientTable === name || source === name);
}

/**
 * Returns the client tables that a name in an expectation means: the table with this name, or the tables with the rows of this
 * source table.
 */
export function clientTablesNamed(name: string, subject: TestSubject): readonly string[] {
  if (meaningOfTable(name, subject).kind !== 'rows of the source') return [name];
  return clientTablesMeant(name, name, subject);
}

/** Returns the names of the tables in the config's queries, and the given names. */
export function namesIn({ plans, config }: TestSubject, names: readonly string[]): readonly string[] {
  const { defaultSchema } = config.surroundings;
  const written = [...rowRulesOf(plans), ...plans.flatMap(({ lookups }) => lookups)].flatMap(({ table }) => {
    if (table.name.wildcard || table.schema.wildcard) return [];
    return nameInTests({ schema: table.schema.text, name: table.name.text }, defaultSchema);
  });
  return [...new Set([...written, ...names])];
}

export function ambiguityText(name: string, { sources }: TableMeaning & { kind: 'ambiguous' }): string {
  return `\`${name}\` is ambiguous: it is a table of the source, and clients also get rows of ${sources.map((each) => `\`${each}\``).join(' and ')} under this name. For the table of the source, write its schema before the name; otherwise choose another alias.`;
}
