/**
 * Renames everything that a config itself names: streams and other definitions, CTEs, aliases, query columns and parameters. The
 * result is analysed before it is returned: each name must have the same meaning as before, and there must be no new errors.
 */
import { messageOf, severityOf } from '../engine/diagnostics/diagnostics.ts';
import { type Analysis, plansOf } from '../engine/index.ts';
import type { NameSymbol, SymbolKind } from '../engine/names/symbols.ts';
import { quoteName } from '../engine/sql/names.ts';
import type { Edit } from '../engine/text/edit.ts';
import type { Span } from '../engine/text/span.ts';
import { analyzeAgain } from './reading/again.ts';
import { innerConfigOf } from './reading/inner.ts';
import {
  mentionAt,
  mentionsIn,
  mentionsOfSymbol,
  namesByDefinition,
  type PlacedMention,
} from './reading/mentions.ts';
import { keyFor, nameFor, textFor } from './reading/writing.ts';

type Renaming<T> = ({ readonly kind: 'possible' } & T) | Refusal;

interface Refusal {
  readonly kind: 'refused';
  /** Why the name cannot be renamed, and what to do instead. */
  readonly reason: string;
}

/** Returns the name at a place, and whether it can be renamed. Undefined if there is no name. */
export function prepareRename(
  analysis: Analysis,
  offset: number,
): Renaming<{ readonly span: Span; readonly name: string }> | undefined {
  const asked = mentionAt(analysis, offset);
  if (!asked) return undefined;
  const reason = reasonAgainst(analysis, asked.symbol);
  if (reason !== undefined) return refuse(reason);
  return { kind: 'possible', span: asked.span, name: asked.symbol.name };
}

/**
 * Returns the places of a name that an editor changes together: all places in this file, if the name is spelled the same
 * everywhere.
 */
export function linkedNames(analysis: Analysis, offset: number): readonly Span[] | undefined {
  const asked = mentionAt(analysis, offset);
  if (asked === undefined || asked.symbol.shared || prepareRename(analysis, offset)?.kind !== 'possible')
    return undefined;
  const mentions = mentionsOfSymbol(analysis, asked.symbol);
  const textAt = ({ span }: PlacedMention) => analysis.text.slice(span.start, span.end);
  const isPlain = mentions.every(
    (mention) =>
      mention.role !== 'implied' && /^\w+$/.test(textAt(mention)) && textAt(mention) === textAt(asked),
  );
  return isPlain ? mentions.map(({ span }) => span) : undefined;
}

/** Returns the edits in one file. The symbol may be from another file. */
export function rename(
  analysis: Analysis,
  symbol: NameSymbol,
  name: string,
): Renaming<{ readonly edits: readonly Edit[]; readonly consequence?: string }> {
  const reason = reasonAgainst(analysis, symbol) ?? reasonAgainstName(symbol.kind, name);
  if (reason !== undefined) return refuse(reason);
  const edits = mentionsOfSymbol(analysis, symbol).map((mention) => editOf(mention, name));
  const after = analyzeAgain(analysis, edits);
  const problem =
    newProblem(analysis, after) ?? (meansTheSame(analysis, after) ? undefined : describeTaken(name));
  if (problem !== undefined) return refuse(problem);
  const consequence = symbol.kind === 'alias' ? consequenceFor(analysis, after) : undefined;
  return { kind: 'possible', edits, ...(consequence !== undefined && { consequence }) };
}

/** Describes the consequence for clients if the alias is also the name of a table on clients. */
function consequenceFor(before: Analysis, after: Analysis): string | undefined {
  const [old, now] = [clientNamesOf(before), clientNamesOf(after)];
  const at = old.findIndex((names, index) => names !== now[index]);
  if (at < 0) return undefined;
  return `Clients see this table as \`${old[at]}\`. After the rename, they would get its rows in \`${now[at]}\` instead.`;
}

/** Returns the client table of each synced query. */
function clientNamesOf(analysis: Analysis): readonly (string | undefined)[] {
  const { config } = innerConfigOf(analysis)?.analysis ?? analysis;
  const plans = config === undefined ? [] : plansOf(config);
  return plans.flatMap(({ sources }) =>
    sources.flatMap(({ rules }) => rules.map(({ outputTable }) => outputTable)),
  );
}

const outside: Partial<Record<SymbolKind, (symbol: NameSymbol) => string>> = {
  table: ({ name }) =>
    `\`${name}\` is a table of the source database. Rename it there, or give it an alias here.`,
  column: ({ name, table }) =>
    `\`${name}\` is a column of \`${table?.name}\` in the source database. Rename it there, or give it an alias here.`,
};

function reasonAgainst(analysis: Analysis, symbol: NameSymbol): string | undefined {
  const reason = outside[symbol.kind]?.(symbol);
  if (reason !== undefined) return reason;
  const isBroken = analysis.findings.some(({ code }) => code === 'yaml-syntax');
  if (isBroken && analysis.text.includes(symbol.name))
    return 'Parts of this file cannot be read, so the rename could miss some places. Fix the YAML first.';
  if (hidesIn(analysis, symbol.name))
    return `\`${symbol.name}\` is in a query with a syntax error, so the rename could miss some places. Fix the error first.`;
  const mentions = mentionsOfSymbol(analysis, symbol);
  if (symbol.kind === 'output' && !mentions.some(({ role }) => role !== 'reference'))
    return `\`${symbol.name}\` cannot be renamed here, because it comes from a \`*\` or does not exist.`;
  if (symbol.kind === 'subscription parameter' && isReadByAll(analysis, symbol))
    return `A CTE for all streams reads \`${symbol.name}\`, so each stream that uses the CTE has its own parameter of this name. Rename it by hand.`;
  return undefined;
}

/** Whether the name occurs in a query with a syntax error. */
function hidesIn(analysis: Analysis, name: string): boolean {
  const { config } = innerConfigOf(analysis)?.analysis ?? analysis;
  if (!config) return false;
  const texts = [
    ...config.ctes.map(({ cte }) => cte.query),
    ...config.definitions.flatMap(({ texts }) => texts),
  ];
  const wanted = name.toLowerCase();
  return texts.some(({ sql }) => sql.problems.length > 0 && sql.text.toLowerCase().includes(wanted));
}

/** Whether a CTE of all streams reads the parameter. Such a parameter is a separate parameter of each stream that uses the CTE. */
function isReadByAll(analysis: Analysis, { name }: NameSymbol): boolean {
  const { config } = innerConfigOf(analysis)?.analysis ?? analysis;
  const globals = new Set(config?.ctes.map(({ cte }) => cte.query));
  return mentionsIn(analysis).some(
    ({ symbol, sql }) =>
      symbol.kind === 'subscription parameter' && symbol.name === name && sql && globals.has(sql.text),
  );
}

function reasonAgainstName(kind: SymbolKind, name: string): string | undefined {
  if (name.trim() === '') return 'Enter a name.';
  if (/[\r\n\t]/.test(name)) return 'A name cannot contain line breaks or tabs.';
  if (/['"\\]/.test(name)) return 'A name cannot contain quotes or backslashes here.';
  if (kind.endsWith('parameter') && name.startsWith('$'))
    return 'A name that begins with `$` is read as a path.';
  return undefined;
}

function editOf({ role, span, sql }: PlacedMention, name: string): Edit {
  if (!sql) return { span, text: keyFor(name) };
  const { style } = sql.text;
  // An implied name comes from a column or table, which keeps its own name and gets an alias.
  if (role === 'implied')
    return { span: { start: span.end, end: span.end }, text: ` AS ${textFor(nameFor(name), style)}` };
  const old = sql.text.sql.text.slice(sql.span.start, sql.span.end);
  // Quotes are kept, because clients may rely on the exact name.
  const written = old.endsWith("'") ? `'${name}'` : old.startsWith('"') ? quoteName(name) : nameFor(name);
  return { span, text: textFor(written, style) };
}

/** Returns a message about the first new error, or about a missing id, with which clients would keep only one row. */
function newProblem(before: Analysis, after: Analysis): string | undefined {
  const count = new Map<string, number>();
  for (const { code } of before.findings) count.set(code, (count.get(code) ?? 0) + 1);
  for (const finding of after.findings) {
    const left = (count.get(finding.code) ?? 0) - 1;
    count.set(finding.code, left);
    if (left < 0 && (severityOf(finding.code) === 'error' || finding.code === 'missing-id'))
      return `This name would break the config: ${messageOf(finding)}`;
  }
  return undefined;
}

/** Whether equal names are still equal, and different names are still different. */
function meansTheSame(before: Analysis, after: Analysis): boolean {
  const [old, now] = [before, after].map((analysis) =>
    namesByDefinition(innerConfigOf(analysis)?.analysis ?? analysis),
  );
  const forth = new Map<string, string>();
  const back = new Map<string, string>();
  const isSame = ({ key }: NameSymbol, other: NameSymbol | undefined): boolean => {
    const newKey = other?.key ?? '';
    if (!forth.has(key)) forth.set(key, newKey);
    if (!back.has(newKey)) back.set(newKey, key);
    return forth.get(key) === newKey && back.get(newKey) === key;
  };
  return (
    old?.length === now?.length &&
    (old ?? []).every(({ mentions, symbols }, index) => {
      const other = now?.[index];
      if (symbols === other?.symbols) return symbols.every((symbol) => isSame(symbol, symbol));
      return (
        mentions.length === other?.mentions.length &&
        mentions.every(({ symbol }, at) => isSame(symbol, other.mentions[at]?.symbol))
      );
    })
  );
}

function describeTaken(name: string): string {
  return `\`${name}\` already means something else in one of these places. Choose another name.`;
}

function refuse(reason: string): Refusal {
  return { kind: 'refused', reason };
}
