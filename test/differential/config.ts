/** Whole configs from a grammar: editions, options, streams, definitions, CTEs, events. */
import type { Random } from './random.ts';
import { type Dialect, query } from './sql.ts';
import { type Tree, writeYaml } from './yaml.ts';

type Pair = readonly [key: string, value: Tree];

export function config(random: Random): string {
  const slips = random.pick([0, 0, 0, 0.25, 1]);
  const edition = random.choose([
    [60, () => 3],
    [22, () => 2],
    [18, () => 1],
  ]);
  const pairs: Pair[] = [
    ...configPart(random, edition, slips),
    ...(edition === 3 ? streamsPart(random, slips) : olderParts(random, edition, slips)),
  ];
  if (random.chance(0.05)) pairs.push(['event_definitions', events(random, slips)]);
  if (random.chance(slips * 0.05)) pairs.push([random.pick(['stream', 'Streams', '<<', 'foo']), raw('{}')]);
  return writeYaml(random, map(...(random.chance(0.05) ? pairs.reverse() : pairs)));
}

const map = (...pairs: readonly Pair[]): Tree => ({ map: pairs });
const list = (...items: readonly Tree[]): Tree => ({ list: items });
const raw = (text: string): Tree => ({ raw: text });
const sql = (text: string): Tree => ({ sql: text });

function configPart(random: Random, edition: number, slips: number): Pair[] {
  const options: Pair[] = edition === 1 && random.chance(0.7) ? [] : [['edition', raw(`${edition}`)]];
  const flags = [
    'timestamps_iso8601',
    'versioned_bucket_ids',
    'fixed_json_extract',
    'custom_postgres_types',
    'unstable_sqlite_expression_engine',
  ];
  if (random.chance(0.1)) options.push([random.pick(flags), raw(random.pick(['true', 'false', 'True']))]);
  if (random.chance(0.04)) options.push(['timestamp_max_precision', raw(random.pick(precisions))]);
  if (random.chance(0.03)) options.push(['storage_version', raw(random.pick(['2', '3']))]);
  if (random.chance(slips * 0.1)) options.push(wrongOption(random));
  return options.length === 0 ? [] : [['config', map(...options)]];
}

const precisions = ['seconds', 'milliseconds', 'microseconds', 'nanoseconds'] as const;

function wrongOption(random: Random): Pair {
  return random.pick<Pair>([
    ['timestamps_iso8601', raw('yes')],
    ['versioned_bucket_ids', raw('"true"')],
    ['storage_version', raw('1')],
    ['storage_version', raw('"2"')],
    ['timestamp_max_precision', raw('minutes')],
    ['timestamp_max_precision', raw('5')],
    ['editon', raw('3')],
    ['custom_postgres_types', raw('')],
    ['fixed_json_extract', raw('[true]')],
  ]);
}

// Edition 3

function streamsPart(random: Random, slips: number): Pair[] {
  const globals = random.chance(0.15) ? ['everyones'] : [];
  const names = random.times(1, 2, () => random.pick(['mine', 'all', 'by_boat', '"a b"', 'Team']));
  const streams = [...new Set(names)].map((name): Pair => [name, stream(random, slips, globals)]);
  const parts: Pair[] = [['streams', map(...streams)]];
  if (globals.length > 0) parts.unshift(['with', ctes(random, slips, globals)]);
  if (random.chance(slips * 0.03)) parts.push(['bucket_definitions', raw(random.pick(['{}', '']))]);
  return parts;
}

function stream(random: Random, slips: number, globals: readonly string[]): Tree {
  const locals = random.chance(0.2) ? random.pick([['own'], ['own', 'everyones']]) : [];
  const dialect: Dialect = { kind: 'stream', slips, ctes: [...globals, ...locals], parameters: [] };
  const pairs: Pair[] = streamOptions(random, slips);
  if (locals.length > 0) pairs.push(['with', ctes(random, slips, locals)]);
  const one: Pair = ['query', sql(query(random, dialect))];
  const many: Pair = ['queries', list(...random.times(0, 3, () => sql(query(random, dialect))))];
  pairs.push(random.chance(0.75) ? one : many);
  if (random.chance(slips * 0.04)) pairs.push(random.pick([one, many, ['quary', raw('x')]]));
  return map(...unique(pairs));
}

function streamOptions(random: Random, slips: number): Pair[] {
  const pairs: Pair[] = [];
  if (random.chance(0.2)) pairs.push(['auto_subscribe', raw(random.pick(['true', 'false']))]);
  if (random.chance(0.15)) pairs.push(['priority', raw(random.pick(['0', '1', '2', '3', '2.0', '0x2']))]);
  if (random.chance(0.1)) pairs.push(['accept_potentially_dangerous_queries', raw('true')]);
  if (random.chance(slips * 0.06))
    pairs.push(
      random.pick<Pair>([
        ['priority', raw(random.pick(['4', '-1', '"1"', '1.5', '', 'high']))],
        ['auto_subscribe', raw(random.pick(['yes', '1', '']))],
        ['auto_subscribed', raw('true')],
        ['data', raw('[]')],
      ]),
    );
  return unique(pairs);
}

function ctes(random: Random, slips: number, names: readonly string[]): Tree {
  return map(
    ...names.map((name): Pair => {
      const dialect: Dialect = { kind: 'stream', slips, ctes: [], parameters: [] };
      const text = random.choose([
        [70, () => 'SELECT id FROM boats WHERE owner_id = auth.user_id()'],
        [15, () => 'SELECT id FROM crew'],
        [8, () => 'SELECT id, name FROM boats'],
        [slips * 10, () => query(random, dialect)],
      ]);
      return [name, sql(text)];
    }),
  );
}

// Editions 1 and 2

function olderParts(random: Random, edition: number, slips: number): Pair[] {
  const parts: Pair[] = [];
  const streams = edition === 2 ? random.chance(0.6) : random.chance(slips * 0.05);
  if (streams) parts.push(['streams', map(['mine', alphaStream(random, slips)])]);
  if (!streams || random.chance(0.2)) parts.push(['bucket_definitions', definitions(random, slips)]);
  if (random.chance(slips * 0.03)) parts.push(['with', raw('{ a: SELECT id FROM boats }')]);
  return parts;
}

function alphaStream(random: Random, slips: number): Tree {
  const dialect: Dialect = { kind: 'alpha', slips, ctes: [], parameters: [] };
  const text: Pair = ['query', sql(query(random, dialect))];
  const pairs: Pair[] = [...streamOptions(random, slips), text];
  return map(...unique(pairs));
}

function definitions(random: Random, slips: number): Tree {
  const names = [...new Set(random.times(1, 2, () => random.pick(['by_user', 'global', 'by boat'])))];
  return map(...names.map((name): Pair => [name, definition(random, slips)]));
}

function definition(random: Random, slips: number): Tree {
  const parameters = random.pick([[], ['boat'], ['boat'], ['owner', 'org']]);
  const of = (kind: Dialect['kind']): Dialect => ({ kind, slips, ctes: [], parameters });
  const pairs: Pair[] = [];
  if (random.chance(0.1)) pairs.push(['priority', raw(random.pick(['0', '3']))]);
  if (random.chance(0.1)) pairs.push(['accept_potentially_dangerous_queries', raw('true')]);
  const parameterQueries = random.times(1, random.chance(0.2) ? 2 : 1, () =>
    sql(query(random, of('parameters'))),
  );
  if (parameters.length > 0 || random.chance(0.1))
    pairs.push([
      'parameters',
      parameterQueries.length === 1 && random.chance(0.5)
        ? (parameterQueries[0] as Tree)
        : list(...parameterQueries),
    ]);
  if (!random.chance(slips * 0.03))
    pairs.push([
      'data',
      list(...random.times(random.chance(0.05) ? 0 : 1, 2, () => sql(query(random, of('data'))))),
    ]);
  if (random.chance(slips * 0.04))
    pairs.push(
      random.pick<Pair>([
        ['auto_subscribe', raw('true')],
        ['paramters', raw('[]')],
        ['priority', raw('9')],
      ]),
    );
  return map(...unique(pairs));
}

function events(random: Random, slips: number): Tree {
  const dialect: Dialect = { kind: 'event', slips, ctes: [], parameters: [] };
  const payloads: Pair = ['payloads', list(...random.times(1, 2, () => sql(query(random, dialect))))];
  return map(['saved', map(...(random.chance(slips * 0.1) ? [] : [payloads]))]);
}

function unique(pairs: readonly Pair[]): Pair[] {
  return [...new Map(pairs).entries()];
}
