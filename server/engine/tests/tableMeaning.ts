/** The rows that the name of a table means, in a claim and in the expectations of tests: of the source, or of clients. */
import { canBecome, matchesTable } from '../plan/evaluate/patterns.ts';
import { rowRulesOf } from '../plan/rowRules.ts';
import type { TestSubject } from './subject.ts';

type TableMeaning =
  | { readonly kind: 'rows of the source' | 'rows of clients' | 'both' | 'unknown' }
  | { readonly kind: 'ambiguous'; readonly sources: readonly string[] };

/**
 * A name that both have means all of these rows, unless the client's table of that name has rows of another table: then the
 * reader cannot know which are meant.
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

/** @param pair a table of the source, and the one of clients to which its rows go */
export function isMeant(
  { source, clientTable }: { readonly source: string | undefined; readonly clientTable: string },
  name: string,
  { kind }: TableMeaning,
): boolean {
  return (
    (kind !== 'rows of clients' && source === name) || (kind !== 'rows of the source' && clientTable === name)
  );
}

/** The tables of clients in which a row of a table of the source is meant by a name. */
export function clientTablesMeant(name: string, source: string, subject: TestSubject): readonly string[] {
  const table = subject.tableNamed(source);
  const fed = rowRulesOf(subject.plans).flatMap((rule) =>
    matchesTable(rule.table, table) ? [rule.outputTable ?? table.name] : [],
  );
  return [...new Set(fed)].filter((clientTable) => clientTable === name || source === name);
}

/** The tables of clients that a name in an expectation means: that of this name, or those with the rows of the source's table. */
export function clientTablesNamed(name: string, subject: TestSubject): readonly string[] {
  if (meaningOfTable(name, subject).kind !== 'rows of the source') return [name];
  return clientTablesMeant(name, name, subject);
}

/** The names of tables in the queries of a config, and these. */
export function namesIn({ plans, config }: TestSubject, names: readonly string[]): readonly string[] {
  const { defaultSchema } = config.surroundings;
  const written = [...rowRulesOf(plans), ...plans.flatMap(({ lookups }) => lookups)].flatMap(({ table }) => {
    if (table.name.wildcard || table.schema.wildcard) return [];
    return table.schema.text === defaultSchema ? table.name.text : `${table.schema.text}.${table.name.text}`;
  });
  return [...new Set([...written, ...names])];
}

export function ambiguityText(name: string, { sources }: TableMeaning & { kind: 'ambiguous' }): string {
  return `\`${name}\` is a table of the source, and the name under which clients get rows of ${sources.map((each) => `\`${each}\``).join(' and ')}. Write its schema in front for the table of the source, or choose another alias.`;
}
