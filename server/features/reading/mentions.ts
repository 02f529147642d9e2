/** Every name in a config and its meaning, for navigation and rename. */
import { oncePer } from '../../engine/ground/oncePer.ts';
import type { Analysis, Config } from '../../engine/index.ts';
import type { Cte, Definition, SqlText } from '../../engine/model/definition.ts';
import { textsOf } from '../../engine/model/texts.ts';
import { bindNames, type TextSurroundings } from '../../engine/names/bind.ts';
import {
  bucketParameterSymbol,
  cteSymbol,
  keyFrom,
  type Mention,
  type NameSymbol,
  outputSymbol,
  type SymbolKind,
} from '../../engine/names/symbols.ts';
import { compareSpans, cover, type Span, shift } from '../../engine/text/span.ts';
import { textFactsOf } from './facts.ts';
import { innerConfigOf } from './inner.ts';

/** A mention with its span in the file. */
export interface PlacedMention extends Mention {
  /** The SQL text that contains the name, and its span there; absent for keys in the YAML. */
  readonly sql?: { readonly text: SqlText; readonly span: Span };
  /** For a declaration: the span of the entire declaration, if it is more than the name. */
  readonly whole?: Span;
}

/** Returns the mentions in reading order. */
export const mentionsIn = oncePer((analysis: Analysis): readonly PlacedMention[] => {
  const mentions = analysis.config ? mentionsOf(analysis.config) : mentionsInside(analysis);
  mentions.sort((a, b) => compareSpans(a.span, b.span));
  return mentions;
});

/** Returns the name at a place, or the name that ends there. A name comes before the names that it implies. */
export function mentionAt(analysis: Analysis, offset: number): PlacedMention | undefined {
  const here = mentionsNear(analysis, offset).filter(
    ({ span }) => span.start <= offset && offset <= span.end,
  );
  const within = here.filter(({ span }) => offset < span.end);
  return (within.length > 0 ? within : here).toSorted(
    (a, b) => Number(a.role === 'implied') - Number(b.role === 'implied'),
  )[0];
}

/** Returns all mentions in the same part of the file. The mentions of one stream are enough to find the one at a place. */
function mentionsNear(analysis: Analysis, offset: number): readonly PlacedMention[] {
  const { config } = analysis;
  if (!config || mentionsIn.has(analysis)) return mentionsIn(analysis);
  const part = config.parts.findLast(({ base }) => base <= offset);
  return mentionsOf({
    ...config,
    ctes: config.ctes.filter((placed) => placed.part === part),
    definitions: config.definitions.filter((placed) => placed.part === part),
  });
}

export function mentionsOfSymbol(analysis: Analysis, { key }: NameSymbol): readonly PlacedMention[] {
  return mentionsIn(analysis).filter(({ symbol }) => symbol.key === key);
}

/** Returns the mentions of the sync config in a service config. */
function mentionsInside(analysis: Analysis): PlacedMention[] {
  const inner = innerConfigOf(analysis);
  if (!inner) return [];
  return mentionsIn(inner.analysis).map(({ whole, ...mention }) => ({
    ...mention,
    span: inner.toFile(mention.span),
    ...(whole && { whole: inner.toFile(whole) }),
  }));
}

function mentionsOf(config: Config): PlacedMention[] {
  return [...mentionsOfCtes(config), ...keptIn(config).flatMap(({ mentions }) => mentions)];
}

/** Names that definitions share with each other. */
interface SharedNames {
  /** The tables by key. */
  readonly tables: ReadonlyMap<string, NonNullable<NameSymbol['table']>>;
  /** The columns of each table, by schema and name, in the order of first use. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
  /** The parameters that the app sends. */
  readonly parameters: readonly NameSymbol[];
}

/** Returns the names in a file's CTEs, and in its definitions by run. An unchanged run returns the same objects as before. */
export function namesInRuns({ config }: Analysis): readonly SharedNames[] {
  if (!config) return [];
  const globals = globalsOf(config);
  return [
    sharedIn([distinct(mentionsOfCtes(config))]),
    ...config.runs.map((run) => sharedInRun(run, config, globals)),
  ];
}

/** Finds the same names step by step, so that the caller can pause in between. */
export function* findNames({ config }: Analysis): Generator<void, void, void> {
  if (!config) return;
  const globals = globalsOf(config);
  for (const run of config.runs) {
    sharedInRun(run, config, globals);
    yield;
  }
}

export function parametersRead(analysis: Analysis): readonly NameSymbol[] {
  return namesInRuns(analysis).flatMap(({ parameters }) => parameters);
}

const sharedOf = new WeakMap<Config['runs'][number], SharedNames>();

function sharedInRun(run: Config['runs'][number], config: Config, globals: Ctes): SharedNames {
  const known = sharedOf.get(run);
  if (known) return known;
  const found = sharedIn(run.definitions.map(({ definition }) => symbolsOf(definition, config, globals)));
  sharedOf.set(run, found);
  return found;
}

/** The shared names of one definition. Each name of a file is kept only once, because mentions would take most of the memory. */
const symbolsKept = new WeakMap<
  Definition,
  { readonly surroundings: object; readonly symbols: readonly NameSymbol[] }
>();
const symbolsByKey = new WeakMap<Config['surroundings'], Map<string, NameSymbol>>();
/** The number of names at which names that are no longer in the file are dropped. */
const mostSymbols = 20_000;

function symbolsOf(definition: Definition, { surroundings }: Config, globals: Ctes): readonly NameSymbol[] {
  const known = symbolsKept.get(definition);
  if (known?.surroundings === surroundings) return known.symbols;
  const kept = keptOf.get(definition);
  const mentions =
    kept?.surroundings === surroundings
      ? kept.mentions
      : mentionsOfDefinition(definition, 0, globals, surroundings.defaultSchema);
  // The syntax trees exist now, and a caller that needs the names also needs these facts.
  for (const text of textsOf(definition)) textFactsOf(text);
  const all = symbolsByKey.get(surroundings) ?? new Map<string, NameSymbol>();
  symbolsByKey.set(surroundings, all);
  if (all.size > mostSymbols) all.clear();
  const own = new Set<NameSymbol>();
  for (const { symbol } of mentions) {
    if (!symbol.table && !symbol.part) continue;
    const first = all.get(symbol.key) ?? symbol;
    all.set(symbol.key, first);
    own.add(first);
  }
  const symbols = [...own];
  symbolsKept.set(definition, { surroundings, symbols });
  return symbols;
}

function sharedIn(lists: readonly (readonly NameSymbol[])[]): SharedNames {
  const tables = new Map<string, NonNullable<NameSymbol['table']>>();
  const columns = new Map<string, Set<string>>();
  const parameters = new Map<string, NameSymbol>();
  for (const symbols of lists)
    for (const symbol of symbols) {
      const { kind, key, table, name } = symbol;
      if (symbol.part) parameters.set(key, symbol);
      if (!table) continue;
      if (kind === 'table') tables.set(key, table);
      if (kind !== 'column') continue;
      const ofTable = keyFrom(table.schema, table.name);
      columns.set(ofTable, (columns.get(ofTable) ?? new Set()).add(name));
    }
  return { tables, columns, parameters: [...parameters.values()] };
}

/**
 * Returns the names in the CTEs of the file and in each definition. A definition that did not change has the same object as before.
 */
export function namesByDefinition({ config }: Analysis): readonly Names[] {
  if (!config) return [];
  const mentions = mentionsOfCtes(config);
  return [{ mentions, symbols: distinct(mentions) }, ...keptIn(config, anywhere)];
}

function distinct(mentions: readonly PlacedMention[]): readonly NameSymbol[] {
  return [...new Map(mentions.map(({ symbol }) => [symbol.key, symbol])).values()];
}

function mentionsOfCtes({ ctes, surroundings: { defaultSchema } }: Config): PlacedMention[] {
  return ctes.flatMap(({ cte, part }) => placeCte(cte, '', part.base, defaultSchema));
}

interface Names {
  readonly mentions: readonly Mention[];
  /** The symbols without duplicates. */
  readonly symbols: readonly NameSymbol[];
}

interface CachedNames extends Names {
  readonly surroundings: Config['surroundings'];
  readonly base: number;
  readonly mentions: readonly PlacedMention[];
}

const keptOf = new WeakMap<Definition, CachedNames>();

const anywhere = 'anywhere';

/**
 * Returns the cached mentions. The mentions of an unchanged definition are kept. They are shifted to its new place, unless places
 * do not matter.
 */
function keptIn(config: Config, places?: typeof anywhere): readonly CachedNames[] {
  const { surroundings } = config;
  const globals = globalsOf(config);
  return config.definitions.map((placed) => {
    const { base } = placed.part;
    const before = keptOf.get(placed.definition);
    const isKnown = before?.surroundings === surroundings;
    if (isKnown && (before.base === base || places === anywhere)) return before;
    const mentions = isKnown
      ? before.mentions.map((mention) => move(mention, base - before.base))
      : mentionsOfDefinition(placed.definition, base, globals, surroundings.defaultSchema);
    const symbols = isKnown ? before.symbols : distinct(mentions);
    const kept = { surroundings, base, mentions, symbols };
    keptOf.set(placed.definition, kept);
    return kept;
  });
}

function move(mention: PlacedMention, by: number): PlacedMention {
  const { whole } = mention;
  return { ...mention, span: shift(mention.span, by), ...(whole && { whole: shift(whole, by) }) };
}

type Ctes = ReadonlyMap<string, NameSymbol>;

function globalsOf({ surroundings }: Config): Ctes {
  return new Map(surroundings.ctes.map(({ name }) => [name.toLowerCase(), cteSymbol('', name)]));
}

const kinds: Readonly<Record<Definition['kind'], SymbolKind>> = {
  stream: 'stream',
  'bucket-definition': 'bucket definition',
  event: 'event',
};

export function definitionSymbol({ kind, name }: Definition): NameSymbol {
  return { kind: kinds[kind], key: keyFrom(kind, name), name };
}

function mentionsOfDefinition(
  definition: Definition,
  base: number,
  globals: Ctes,
  defaultSchema: string,
): PlacedMention[] {
  const { name, nameSpan, span } = definition;
  const key: PlacedMention = {
    symbol: definitionSymbol(definition),
    role: 'declaration',
    span: shift(nameSpan, base),
    whole: shift(cover(nameSpan, span), base),
  };
  const own = definition.kind === 'stream' ? definition.ctes : [];
  const ctes = new Map([
    ...globals,
    ...own.map((cte) => [cte.name.toLowerCase(), cteSymbol(name, cte.name)] as const),
  ]);
  const texts = textsWithRoles(definition).map(({ text, role, index }) =>
    placeText(text, base, {
      ...meaningOf(definition, role, keyFrom(name, role, `${index}`)),
      owner: keyFrom(name, role, `${index}`),
      reader: name,
      defaultSchema,
      findCte: (wanted) => ctes.get(wanted.toLowerCase()),
    }),
  );
  return [key, ...own.flatMap((cte) => placeCte(cte, name, base, defaultSchema)), ...texts.flat()];
}

type TextRole = 'query' | 'parameters' | 'data' | 'payload';

function textsWithRoles(definition: Definition): { text: SqlText; role: TextRole; index: number }[] {
  const as = (role: TextRole, texts: readonly SqlText[] = []) =>
    texts.map((text, index) => ({ text, role, index }));
  switch (definition.kind) {
    case 'stream':
      return as('query', definition.queries);
    case 'bucket-definition':
      return [...as('parameters', definition.parameters), ...as('data', definition.data)];
    case 'event':
      return as('payload', definition.payloads);
  }
}

function meaningOf(
  { name }: Definition,
  role: TextRole,
  owner: string,
): Pick<TextSurroundings, 'output' | 'bucketParameter'> {
  const bucketParameter = (parameter: string) => bucketParameterSymbol(name, parameter);
  if (role === 'parameters') return { output: bucketParameter };
  const output = (column: string) => outputSymbol(owner, column);
  return role === 'data' ? { output, bucketParameter } : { output };
}

function placeCte({ name, nameSpan, query }: Cte, owner: string, base: number, defaultSchema: string) {
  const symbol = cteSymbol(owner, name);
  const key: PlacedMention = {
    symbol,
    role: 'declaration',
    span: shift(nameSpan, base),
    whole: shift(cover(nameSpan, query.span), base),
  };
  const inside = placeText(query, base, {
    owner: symbol.key,
    reader: owner,
    defaultSchema,
    findCte: () => undefined,
    output: (column) => outputSymbol(symbol.key, column),
  });
  return [key, ...inside];
}

function placeText(text: SqlText, base: number, surroundings: TextSurroundings): PlacedMention[] {
  return bindNames(text.sql.statements, surroundings).map((mention) => ({
    ...mention,
    span: shift(text.place(mention.span), base),
    sql: { text, span: mention.span },
  }));
}
