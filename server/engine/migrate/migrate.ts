/**
 * Rewrites bucket definitions and streams of edition 2 as streams of edition 3: either the entire file or nothing. The result is
 * parsed again, and rejected if the engine finds an error in it. Each user has the same rows before and after: tests evaluate both
 * versions with the same data. A definition that was invalid because it has a join or a subquery becomes the intended stream, and a
 * note says so. Three details differ, and no config should depend on them:
 *
 * - A list that is not a JSON array (`{"a": 1}`, `5`) counted as empty, and booleans in a list were ignored. Streams read an object
 *   as the list of its values, and `true` as 1.
 * - With `fixed_json_extract: false`, a request value that is a JSON null is the text `null` in streams.
 * - If one column must equal two values of the request, streams distinguish the integer 1 from the real number 1.0.
 */
import { type Finding, messageOf, severityOf } from '../diagnostics/diagnostics.ts';
import type { PlacedDefinition } from '../file/definitions.ts';
import { analyzeSync, type Config, plansOf } from '../file/sync.ts';
import { groupBy } from '../ground/group.ts';
import type { Catalog, CatalogTable } from '../model/catalog.ts';
import type { BucketDefinition } from '../model/definition.ts';
import type { StreamPlan, TablePattern } from '../plan/plan.ts';
import { knownTables } from '../plan/tablePatterns.ts';
import { isPartOf, type Span, shift } from '../text/span.ts';
import type { Entry } from '../yaml/parts.ts';
import { type Translation, writeFile } from './file.ts';
import { intendedStream, isMeantAsStream } from './intended.ts';
import { optionsToKeep, readsJson } from './options.ts';
import { collectRefusals } from './refusals.ts';
import { type StreamWish, streamTexts } from './stream.ts';
import { unwrittenSchema } from './tableSql.ts';

type Migration =
  | { readonly kind: 'migrated'; readonly text: string; readonly notes: readonly string[] }
  | { readonly kind: 'refused'; readonly reasons: readonly Reason[] }
  /** The file is already of edition 3, so there is nothing to migrate. */
  | { readonly kind: 'current' };

interface Reason {
  /** A sentence that names the definition and explains the obstacle. */
  readonly sentence: string;
  /** The span in the original file. */
  readonly span: Span;
}

export interface MigrateInput {
  /** The tables of the source. Without them, `*` is kept, and a note says so. */
  readonly catalog?: Catalog | undefined;
  /** The schema of unqualified table names; default: `public`. */
  readonly defaultSchema?: string | undefined;
}

export function migrateToStreams(
  text: string,
  { catalog, defaultSchema = 'public' }: MigrateInput = {},
): Migration {
  const { config, findings } = analyzeSync(text, { defaultSchema: unwrittenSchema });
  const { options } = config.surroundings;
  if (options.edition === 3) return { kind: 'current' };
  const errors = findings.filter(
    (finding) => isError(finding) && !config.definitions.some(isMended(finding)),
  );
  if (errors.length > 0) return { kind: 'refused', reasons: errors.map(asReason) };
  const readsOldJson = readsJson(plansOf(config)) || config.definitions.some(isJsonEvent);
  const world: World = {
    catalog,
    defaultSchema,
    wholeKeys: options.fixedJsonExtract || !readsOldJson,
    names: new Set(config.definitions.map(({ definition }) => definition.name)),
  };
  const definitions = config.definitions.map((placed) => translate(placed, world));
  const refused = definitions.flatMap(({ reasons }) => reasons);
  if (refused.length > 0) return { kind: 'refused', reasons: refused };
  const notes = definitions.some(({ readsAll }) => readsAll) ? [hiddenColumns] : [];
  const byPart = groupBy(definitions, ({ placed }) => placed.part);
  const written = writeFile({
    text,
    notes,
    parts: config.parts,
    options: optionsToKeep(options, readsOldJson),
    translate: (entry) => byPart.get(entry.part)?.find((each) => isOf(each.placed, entry)) ?? nothing,
  });
  const failed = analyzeSync(written, { defaultSchema, catalog });
  const wrong = failed.findings.find(isError);
  if (wrong) return { kind: 'refused', reasons: [reasonFor(wrong, failed.config, definitions)] };
  return { kind: 'migrated', text: written, notes: [...notes, ...definitions.flatMap(({ told }) => told)] };
}

function isError({ code }: Finding): boolean {
  return severityOf(code) === 'error';
}

/** Whether the error is in a definition that can work only as a stream. */
function isMended({ span }: Finding): (placed: PlacedDefinition) => boolean {
  return (placed) => isPartOf(span, placeOf(placed)) && intentionOf(placed) !== undefined;
}

function intentionOf({ definition, plan }: PlacedDefinition): BucketDefinition | undefined {
  const isIntended = definition.kind === 'bucket-definition' && plan === undefined;
  return isIntended && isMeantAsStream(definition) ? definition : undefined;
}

function placeOf({ definition, part }: PlacedDefinition): Span {
  return shift(definition.span, part.base);
}

function asReason(finding: Finding): Reason {
  return {
    sentence: `The file has an error that must be fixed first: ${messageOf(finding)}`,
    span: finding.span,
  };
}

interface PlacedTranslation extends Translation {
  readonly placed: PlacedDefinition;
  readonly reasons: readonly Reason[];
  /** The notes, each with the name of its definition. */
  readonly told: readonly string[];
  /** Whether the definition has a `*` for an unknown table. */
  readonly readsAll: boolean;
}

const nothing: Translation = { streams: [], notes: [] };

/** The shared context of all definitions in the file. */
interface World {
  readonly catalog: Catalog | undefined;
  readonly defaultSchema: string;
  readonly wholeKeys: boolean;
  readonly names: ReadonlySet<string>;
}

function translate(
  placed: PlacedDefinition,
  { catalog, defaultSchema, wholeKeys, names }: World,
): PlacedTranslation {
  const { definition } = placed;
  if (definition.kind === 'event')
    return { placed, streams: [], notes: [], told: [], reasons: [], readsAll: false };
  const refusals = collectRefusals();
  let readsAll = false;
  const starColumns: StreamWish['starColumns'] = (table) => {
    const tables = catalog ? tablesOf(catalog, table, defaultSchema) : [];
    const columns = visibleColumns(tables);
    readsAll ||= columns === undefined;
    return { written: columns ?? '*', known: namesIn(tables) };
  };
  const intended = intentionOf(placed);
  const notes = [
    ...(definition.kind === 'stream' && definition.priority !== 3
      ? [`Priority ${definition.priority} had no effect before edition 3, so it is omitted.`]
      : []),
    ...(intended ? [neverActive] : []),
  ];
  const streams = intended
    ? [intendedStream(intended, { ...refusals, table: '', wholeKeys, elements: [] })]
    : streamTexts({
        plan: placed.plan ?? emptyPlan(definition.name),
        refusals,
        wholeKeys,
        acceptDangerous: definition.acceptDangerous,
        isNameTaken: (name) => names.has(name),
        starColumns,
      });
  return {
    placed,
    streams,
    notes,
    readsAll,
    told: notes.map((note) => `\`${definition.name}\`: ${note}`),
    reasons: refusals.reasons.slice(0, 1).map((why) => refusalOf(placed, why)),
  };
}

const neverActive =
  'This definition was not valid before, because it has a join or a subquery. Make sure that each user gets the intended rows.';

const hiddenColumns = '* now also syncs columns whose names begin with _. Before edition 3, it omitted them.';

function refusalOf({ definition, part }: PlacedDefinition, why: string): Reason {
  return {
    sentence: `\`${definition.name}\` cannot be migrated. ${why}`,
    span: shift(definition.nameSpan, part.base),
  };
}

/** Whether an event reads JSON. Events are not migrated and have no plan, so their SQL must keep its meaning. */
function isJsonEvent({ definition }: PlacedDefinition): boolean {
  return definition.kind === 'event' && definition.payloads.some(({ sql }) => /->|json_/i.test(sql.text));
}

/** Returns the plan of a stream of edition 2 without a query. */
function emptyPlan(name: string): StreamPlan {
  return { name, isDefault: false, priority: 3, sources: [], lookups: [], routes: [] };
}

function tablesOf(catalog: Catalog, table: TablePattern, defaultSchema: string): readonly CatalogTable[] {
  const isUnwritten = table.schema.text === unwrittenSchema && !table.schema.wildcard;
  const schema = isUnwritten ? { text: defaultSchema, wildcard: false } : table.schema;
  return knownTables(catalog, { ...table, schema });
}

function namesIn(tables: readonly CatalogTable[]): ReadonlySet<string> {
  return new Set(tables.flatMap(({ columns }) => [...columns.keys()]));
}

/** Returns the meaning of `*`: all columns, unless some are hidden. Undefined if the table is unknown. */
function visibleColumns(tables: readonly CatalogTable[]): '*' | readonly string[] | undefined {
  const names = namesIn(tables);
  if (names.size === 0) return undefined;
  const visible = [...names].filter((name) => !name.startsWith('_'));
  if (visible.length === names.size) return '*';
  return tables.length === 1 ? visible : undefined;
}

function isOf({ part, definition }: PlacedDefinition, entry: Entry): boolean {
  return entry.part === part && entry.key.span.start === definition.nameSpan.start;
}

/** Returns the reason for an error in a stream that was made from a definition. */
function reasonFor(wrong: Finding, config: Config, definitions: readonly PlacedTranslation[]): Reason {
  const stream = config.definitions.find((placed) => isPartOf(wrong.span, placeOf(placed)));
  const from = definitions.find(({ streams }) =>
    streams.some(({ name }) => name === stream?.definition.name),
  );
  const why = `As a stream, it would have an error: ${messageOf(wrong)}`;
  return from
    ? refusalOf(from.placed, why)
    : { sentence: `The file cannot be migrated. ${why}`, span: { start: 0, end: 0 } };
}
