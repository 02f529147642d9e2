/**
 * The language server, bundled as it is shipped, under somebody who types: how long an answer takes, protocol included, and
 * how much memory it takes, beside the language server for YAML on the same files, with the same edits and the same client.
 *
 * `npm run bench -- lsp` runs all parts; `npm run bench -- lsp compare` only one of them, `--short` with fewer rounds.
 */
import { join } from 'node:path';
import { writeBundle } from '../../scripts/bundles/bundle.ts';
import { bundles } from '../../scripts/bundles/bundles.ts';
import { root } from '../../scripts/root.ts';
import { type MeasuredServer, startServer, watched } from './editor/server.ts';
import { type BenchText, configOf, largestConfig } from './editor/texts.ts';
import {
  allQuestions,
  commonQuestions,
  type QuestionName,
  type TypingTimes,
  typeInto,
  typeLetter,
} from './editor/typing.ts';
import { searchRows, tableRows } from './editor/workspace.ts';
import { startYamlServer, yamlServerName } from './editor/yamlLanguageServer.ts';
import { milliseconds, percentile, printTable } from './measure.ts';

const program = join(root, 'dist/server.js');

const parts: Readonly<Record<string, () => Promise<void>>> = { compare, typing, workspace, edits };

const args = process.argv.slice(3);

/** Rounds of each file. A keystroke in the largest one takes the other server twenty seconds. */
const rounds = args.includes('--short')
  ? {
      compared: { rounds: 20, warmUp: 6 },
      largest: { rounds: 1, warmUp: 0 },
      typed: { rounds: 40, warmUp: 20 },
      typedIntoLargest: { rounds: 8, warmUp: 2 },
      edits: 1_000,
    }
  : {
      compared: { rounds: 40, warmUp: 12 },
      largest: { rounds: 5, warmUp: 1 },
      typed: { rounds: 120, warmUp: 40 },
      typedIntoLargest: { rounds: 24, warmUp: 4 },
      edits: 4_000,
    };

export async function bench(): Promise<void> {
  for (const one of bundles) if (one.out === 'server.js') await writeBundle(one);
  const wanted = args.find((arg) => arg in parts);
  for (const [name, run] of Object.entries(parts)) if (wanted === undefined || wanted === name) await run();
}

function startOurs(folder?: string): Promise<MeasuredServer> {
  return startServer({ args: [program], ...(folder !== undefined && { folder }) });
}

async function compare(): Promise<void> {
  for (const text of [configOf(10), configOf(100), configOf(1_000), largestConfig()]) {
    const run = text.text.length > 1_000_000 ? rounds.largest : rounds.compared;
    const ours = await typed(startOurs, text, commonQuestions, run);
    const theirs = await typed(startYamlServer, text, commonQuestions, run);
    const rows = commonQuestions.map((name) => [
      name,
      ...both(ours.answers.get(name)),
      ...both(theirs.answers.get(name)),
      ratioOf(theirs.answers.get(name), ours.answers.get(name)),
    ]);
    const memoryOf = ({ memory: { now, peak } }: TypingTimes) => [megabytes(now), megabytes(peak)];
    printTable(
      `${text.name}: Headwater beside ${yamlServerName}`,
      ['', 'ours p50', 'p95', 'theirs p50', 'p95', 'ratio of p95'],
      [
        ['open to diagnostics', shown(ours.open), '', shown(theirs.open), '', times(theirs.open, ours.open)],
        ...rows,
        [
          'memory, and at most',
          ...memoryOf(ours),
          ...memoryOf(theirs),
          times(theirs.memory.now, ours.memory.now),
        ],
      ],
    );
  }
  console.log(
    '\n  Theirs waits for 200 ms after a keystroke by itself, and knows YAML and keys, but no SQL. A question that took\n  more than 30 s, or 60 s for the first, is a dash; so is all that would have come after it.',
  );
}

async function typed(
  start: () => Promise<MeasuredServer>,
  text: BenchText,
  asked: readonly QuestionName[],
  run: { readonly rounds: number; readonly warmUp: number },
): Promise<TypingTimes> {
  const server = await start();
  try {
    return await typeInto(server, text, asked, run);
  } finally {
    await server.stop();
  }
}

/** Milliseconds: 95 % of the answers, as measured in two earlier versions. */
const before: Readonly<Record<QuestionName, string>> = {
  'keystroke to diagnostics': '',
  completion: '14 ms',
  'completion of a table': 'not measured',
  'completion of a condition': 'not measured',
  hover: '',
  symbols: '10 ms',
  formatting: '360 ms, 8 ms',
  rename: '211 ms, 16 ms',
  tokens: '94 ms, 24 ms',
  actions: '115 ms, 8 ms',
};

async function typing(): Promise<void> {
  const usual = await typed(startOurs, configOf(1_000), allQuestions, rounds.typed);
  const asked = allQuestions.filter((name) => before[name] !== '' || name === 'keystroke to diagnostics');
  printTable(
    '1,000 streams',
    ['', 'before, p95', 'target', 'p50', 'p95'],
    asked.map((name) => [name, before[name], '≤ 20 ms', ...both(usual.answers.get(name))]),
  );
  const most = [
    'keystroke to diagnostics',
    'completion',
    'completion of a table',
    'completion of a condition',
    'hover',
  ] as const;
  const { open, answers, memory } = await typed(startOurs, largestConfig(), most, rounds.typedIntoLargest);
  printTable(
    '12 MB, 38,000 streams',
    ['', 'before', 'target', 'p50', 'p95'],
    [
      ['open to diagnostics', '13 s', '', shown(open), ''],
      ...most.map((name) => [
        name,
        name === 'keystroke to diagnostics' ? '3,800 ms' : '',
        '< 200 ms',
        ...both(answers.get(name)),
      ]),
      ['memory, and at most', '3,100 MB', '< 800 MB', megabytes(memory.now), megabytes(memory.peak)],
    ],
  );
}

async function workspace(): Promise<void> {
  printTable(
    'A folder of 1,000 configs and 2,000 tables',
    ['', 'before', 'target', 'now'],
    await searchRows(startOurs),
  );
  printTable('A source of 10,000 tables, 100 streams', ['', 'p50', 'p95'], await tableRows(startOurs));
}

const longRun = { edits: rounds.edits, rounds: 4 };

/** Measures whether memory grows with the number of edits. The system may keep memory that is no longer in use. */
async function edits(): Promise<void> {
  const text = configOf(1_000);
  const uri = 'file:///bench/sync.yaml';
  const server = await startServer({ args: [...watched, program] });
  try {
    await server.open(uri, text.text);
    await server.diagnosed(uri);
    const rows: string[][] = [];
    const each = longRun.edits / longRun.rounds;
    for (let round = 0; round <= longRun.rounds; round += 1) {
      rows.push([`${round * each}`, megabytes(await server.inUse()), megabytes(server.memory().now)]);
      for (let number = 0; round < longRun.rounds && number < each; number += 1) {
        const position = await typeLetter(server, text, number);
        await server.diagnosed(uri);
        await server.request('textDocument/completion', { textDocument: { uri }, position });
      }
    }
    printTable(
      `Memory over ${longRun.edits} edits in 1,000 streams, each with diagnostics and completion`,
      ['edits', 'in use', 'resident'],
      rows,
    );
  } finally {
    await server.stop();
  }
}

function both(all: readonly number[] | undefined = []): readonly [p50: string, p95: string] {
  return [shown(percentile(all, 50)), shown(percentile(all, 95))];
}

function ratioOf(more: readonly number[] = [], less: readonly number[] = []): string {
  return times(percentile(more, 95), percentile(less, 95));
}

function times(more: number, less: number): string {
  const found = more / less;
  return Number.isFinite(found) ? `${found.toFixed(1)} ×` : '–';
}

function shown(time: number): string {
  return Number.isFinite(time) ? milliseconds(time) : '–';
}

function megabytes(count: number): string {
  return Number.isFinite(count) ? `${count.toFixed(0)} MB` : '–';
}
