/**
 * The engine next to the reference, in one process and on the same configs: reading a config from nothing, one
 * keystroke in a config of 1,000 streams, and the memory that its analysis holds.
 */
import { SqlSyncRules } from '@powersync/service-sync-rules';
import { type Analysis, type AnalyzeInput, analyze } from '../../server/engine/index.ts';
import { collectGarbage, median, milliseconds, percentile, printTable, ratio, timesOf } from './measure.ts';

const sizes = [1, 10, 100, 1_000];
/** Edits of one stream among {@link largest}; the reference reads everything each time, so it gets fewer. */
const keystrokes = { ours: 400, reference: 12 };
const largest = 1_000;
const megabyte = 2 ** 20;

export function bench(): void {
  warmUp();
  printTable(
    'Reading a config from nothing (median)',
    ['streams', 'ours', 'reference', 'ratio', 'target'],
    [...sizes.map(coldRow)],
  );
  printTable(
    'One keystroke in one of 1,000 streams',
    ['', 'ours', 'reference', 'ratio', 'target'],
    keystrokeRows(),
  );
  printTable(
    'Memory of the analysis of 1,000 streams',
    ['', 'ours', 'reference', 'ratio', 'target'],
    [memoryRow()],
  );
}

const options: AnalyzeInput = { kind: 'sync', defaultSchema: 'public' };

function readByReference(text: string): unknown {
  return SqlSyncRules.fromYaml(text, { throwOnError: false, defaultSchema: 'public', schema: undefined });
}

/** Each stream filters its rows, and looks up what the user may see with a subquery. */
function configOf(streams: number, changed?: { stream: number; by: string }): string {
  const lines = Array.from({ length: streams }, (_, index) => {
    const by = changed?.stream === index ? changed.by : '';
    return [
      `  stream_${index}:`,
      `    query: |`,
      `      SELECT id, name${by}, kind, upper(city) AS city FROM tasks_${index}`,
      `      WHERE kind = 'open' AND project_id IN (SELECT project_id FROM members WHERE user_id = auth.user_id())`,
    ].join('\n');
  });
  return `config:\n  edition: 3\nstreams:\n${lines.join('\n')}\n`;
}

function warmUp(): void {
  const text = configOf(20);
  for (let round = 0; round < 15; round++) {
    analyze(text, options);
    readByReference(text);
  }
}

function coldRow(streams: number): string[] {
  const text = configOf(streams);
  const rounds = streams >= 1_000 ? 5 : 20;
  const ours = median(timesOf(rounds, () => analyze(text, options)));
  const reference = median(timesOf(rounds, () => readByReference(text)));
  const target = streams === largest ? '≥ 8 ×' : '';
  return [`${streams}`, milliseconds(ours), milliseconds(reference), ratio(reference, ours), target];
}

function keystrokeRows(): string[][] {
  let previous: Analysis = analyze(configOf(largest), options);
  const ours = timesOf(
    keystrokes.ours,
    (text) => {
      previous = analyze(text, { ...options, previous });
    },
    edited,
  );
  const reference = timesOf(keystrokes.reference, readByReference, edited);
  return [50, 95].map((percent) => {
    const a = percentile(ours, percent);
    const b = percentile(reference, percent);
    return [
      `p${percent}`,
      milliseconds(a),
      milliseconds(b),
      ratio(b, a),
      percent === 95 ? '≥ 100 ×, < 5 ms' : '',
    ];
  });
}

/** The config with one character more than it had, each time in another stream. */
function edited(round: number): string {
  return configOf(largest, { stream: (round * 379) % largest, by: 'abcdefghij'[round % 10] as string });
}

function memoryRow(): string[] {
  const text = configOf(largest);
  const ours = heldBy(() => analyze(text, options));
  const reference = heldBy(() => readByReference(text));
  const shown = (bytes: number) => `${(bytes / megabyte).toFixed(1)} MB`;
  return ['heap', shown(ours), shown(reference), ratio(reference, ours), '< 60 MB'];
}

function heldBy(make: () => unknown): number {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const held = make();
  collectGarbage();
  const after = process.memoryUsage().heapUsed;
  return held === undefined ? 0 : after - before;
}
