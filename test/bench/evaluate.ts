/**
 * Rows and requests next to the reference, in one process and on the same configs. The machine may be busy: both are
 * measured in turns, in many short rounds, and the ratio is the median of those of the rounds.
 */

import { type ConfigEvaluator, toConfigEvaluator } from '../../server/engine/plan/evaluate/evaluate.ts';
import { requestDocument } from '../../server/engine/plan/evaluate/scope.ts';
import type { SqlValue } from '../../server/engine/plan/values/value.ts';
import { plansOf } from '../support/engine/plans.ts';
import {
  type ReferenceEvaluation,
  referenceEvaluation,
  referenceRows,
} from '../support/engine/referenceRows.ts';
import { median, printTable } from './measure.ts';

const rounds = 21;

export async function bench(): Promise<void> {
  printTable(
    'Rows of one table, by the number of streams, each over a table of its own (rows/s)',
    ['streams', 'ours', 'reference', 'ratio', 'target', 'limit of the machine (JSON.stringify)'],
    [rowsOfOne(), ...[50, 100, 500].map(rowsOfMany)].map((row) => [...row, writtenRows()]),
  );
  printTable(
    'Rows of one table, by the number of streams over it, each of which takes another kind of rows (rows/s)',
    ['streams', 'ours', 'reference', 'ratio', ''],
    [10, 100].map(rowsOfKinds),
  );
  const requests: string[][] = [];
  for (const entries of [1, 1_000]) requests.push(await requestsOver(entries));
  printTable(
    'Requests of one stream, by the number of lookup entries of the user (requests/s)',
    ['entries', 'ours', 'reference', 'ratio', ''],
    requests,
  );
}

/** Rows a second of which only those that pass the filter are written as JSON, with the columns that are selected. */
function writtenRows(): string {
  const plain = rows
    .filter(({ kind }) => kind === 'open')
    .map(({ id, name, kind, city, size }) => ({ id, name, kind, city, size: Number(size) }));
  const write = () => {
    for (const row of plain) JSON.stringify(row);
  };
  rowRate(write, 50);
  return `${(rowRate(write, 200) / 1e6).toFixed(2)} M`;
}

/** Each stream filters its rows, computes a column and looks up what the user may see. */
function configOf(streams: number): string {
  return configWith(streams, (index) => ({ table: `tasks_${index}`, kind: 'open' }));
}

function configWith(
  streams: number,
  read: (index: number) => { readonly table: string; readonly kind: string },
): string {
  const lines = Array.from({ length: streams }, (_, index) => {
    const { table, kind } = read(index);
    const members = 'SELECT project FROM members WHERE person = auth.user_id()';
    return [
      `  stream_${index}:`,
      `    auto_subscribe: true`,
      `    query: |`,
      `      SELECT id, name, kind, upper(city) AS city, size FROM ${table}`,
      `      WHERE kind = '${kind}' AND project IN (${members})`,
    ].join('\n');
  });
  return `config:\n  edition: 3\nstreams:\n${lines.join('\n')}\n`;
}

type Row = Readonly<Record<string, SqlValue>>;

/** A fifth of them is filtered. */
const rows: readonly Row[] = Array.from({ length: 500 }, (_, index) => ({
  id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  name: `Task number ${index}`,
  kind: index % 5 === 0 ? 'closed' : 'open',
  city: 'Zürich',
  project: `project-${index % 20}`,
  size: BigInt(index),
  weight: index / 7,
}));

/** The reference has only the rules of the row's table to look at. */
export function rowsOfOne(): string[] {
  const measured = compare(repeatsOver(1), oursOver(1), referenceOver(1));
  return ['1', ...measured, '≥ 3 ×'];
}

/** The reference looks for the rules of the table in the whole config. */
export function rowsOfMany(streams: number): string[] {
  const measured = compare(repeatsOver(streams), oursOver(streams), referenceOver(streams));
  return [`${streams}`, ...measured, streams >= 100 ? '≥ 10 ×' : ''];
}

/** Every row belongs to one of the streams. */
function rowsOfKinds(streams: number): string[] {
  const config = configWith(streams, (index) => ({ table: 'tasks_0', kind: `kind ${index}` }));
  const kinds = rows.map((row, index) => ({ ...row, kind: `kind ${index % streams}` }));
  const { plans, options } = plansOf(config);
  const evaluate = toConfigEvaluator(plans, { options }).rowsOf({
    tag: 'default',
    schema: 'public',
    name: 'tasks_0',
  });
  const evaluateAsReference = referenceRows(config);
  const ours = () => {
    for (const row of kinds) evaluate(row);
  };
  const reference = () => {
    for (const row of kinds) evaluateAsReference('tasks_0', row);
  };
  return [`${streams}`, ...compare(repeatsOver(streams), ours, reference), ''];
}

function oursOver(streams: number): () => void {
  const { plans, options } = plansOf(configOf(streams));
  const evaluator = toConfigEvaluator(plans, { options });
  const tables = tableNames(streams).map((name) =>
    evaluator.rowsOf({ tag: 'default', schema: 'public', name }),
  );
  return () => {
    rows.forEach((row, index) => {
      tables[index % tables.length]?.(row);
    });
  };
}

function referenceOver(streams: number): () => void {
  const evaluate = referenceRows(configOf(streams));
  const tables = tableNames(streams);
  return () => {
    rows.forEach((row, index) => {
      evaluate(tables[index % tables.length] as string, row);
    });
  };
}

function tableNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `tasks_${index}`);
}

/** Rows a second of ours and of the reference, and how much faster ours is. */
function compare(repeats: number, ours: () => void, reference: () => void): [string, string, string] {
  // A service evaluates rows for days: the code of both is compiled before they are measured.
  rowRate(ours, repeats * 5 * rounds);
  rowRate(reference, repeats * rounds);
  const pairs = Array.from(
    { length: rounds },
    () => [rowRate(ours, repeats * 5), rowRate(reference, repeats)] as const,
  );
  return shown(pairs);
}

/** Rows a second. */
function rowRate(run: () => void, times: number): number {
  const start = performance.now();
  for (let i = 0; i < times; i += 1) run();
  return (times * rows.length) / ((performance.now() - start) / 1_000);
}

/** Each takes about as long. */
function repeatsOver(streams: number): number {
  return streams === 1 ? 30 : streams > 100 ? 2 : 10;
}

function shown(pairs: readonly (readonly [number, number])[]): [string, string, string] {
  const perSecond = (value: number) => (value < 10_000 ? value.toFixed(0) : `${(value / 1e6).toFixed(2)} M`);
  return [
    perSecond(median(pairs.map(([a]) => a))),
    perSecond(median(pairs.map(([, b]) => b))),
    `${median(pairs.map(([a, b]) => a / b)).toFixed(1)} ×`,
  ];
}

export async function requestsOver(entries: number): Promise<string[]> {
  const config = configOf(1);
  const members = Array.from({ length: entries }, (_, index) => ({
    id: `m${index}`,
    person: 'u1',
    project: `project-${index}`,
  }));
  const ours = ourRequests(config, members);
  const reference = referenceRequests(config, members);
  const repeats = entries === 1 ? 2_000 : 30;
  await rate(ours, repeats);
  await rate(reference, repeats);
  const pairs: (readonly [number, number])[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push([await rate(ours, repeats), await rate(reference, repeats)]);
  }
  return [`${entries}`, ...shown(pairs), ''];
}

/** Both read the claims again each time, and answer lookups from a map. */
function ourRequests(config: string, members: readonly Row[]): () => Promise<unknown> {
  const { plans, options } = plansOf(config);
  const evaluator = toConfigEvaluator(plans, { options });
  const stored = storedBy(evaluator, members);
  const claims = JSON.stringify({ sub: 'u1' });
  return async () => {
    const evaluation = evaluator.request({
      claims: requestDocument(claims),
      connection: requestDocument('{}'),
      subscriptions: [],
      includeDefaults: true,
    });
    let step = evaluation.next();
    while (!step.done) {
      const keys = step.value;
      step = evaluation.next(await new Map(keys.map((key) => [key, stored.get(key) ?? []])));
    }
    return step.value;
  };
}

function storedBy(evaluator: ConfigEvaluator, members: readonly Row[]) {
  const evaluate = evaluator.rowsOf({ tag: 'default', schema: 'public', name: 'members' });
  const stored = new Map<string, (readonly SqlValue[])[]>();
  for (const { key, values } of members.flatMap((row) => evaluate(row).entries)) {
    const known = stored.get(key);
    if (known) known.push(values);
    else stored.set(key, [values]);
  }
  return stored;
}

function referenceRequests(config: string, members: readonly Row[]): () => Promise<unknown> {
  const evaluation: ReferenceEvaluation = referenceEvaluation(config);
  for (const row of members) evaluation.addRow('members', row);
  return () => evaluation.buckets({ claims: { sub: 'u1' }, connection: {}, subscriptions: [] });
}

async function rate(run: () => Promise<unknown>, times: number): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < times; i += 1) await run();
  return times / ((performance.now() - start) / 1_000);
}
