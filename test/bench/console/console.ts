/**
 * The console, in Chromium, beside a real service with a real PostgreSQL: each number with its limit, and with what a bare
 * page has that does the least. `npm run bench -- console` measures all; `-- console latency frames` some of it, and
 * `-- console memory --minutes 10` takes that long.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../../../scripts/root.ts';
import { median, percentile, printTable } from '../measure.ts';
import { type FrameTimes, measureFrames, measureHeap } from './frames.ts';
import { measureLatencies, row } from './latency.ts';
import { measureMap } from './map.ts';
import { measureOpenings } from './opening.ts';
import { measurePairs } from './pairs.ts';
import { type ConsoleRig, openRig } from './rig.ts';

const parts: Readonly<Record<string, (rig: ConsoleRig) => Promise<void>>> = {
  size: async () => printSize(),
  opening: printOpenings,
  latency: printLatencies,
  frames: printFrames,
  memory: printHeap,
  pairs: printPairs,
  map: printMap,
};

/** Minutes of `memory`, unless they are given. */
const usualMinutes = 0.5;

export async function bench(): Promise<void> {
  const chosen = process.argv.slice(3).filter((word) => word in parts);
  const rig = await openRig();
  try {
    for (const [name, print] of Object.entries(parts))
      if (chosen.length === 0 || chosen.includes(name)) await print(rig);
  } finally {
    await rig.close();
  }
}

function printSize(): void {
  const sizes = ['console.js', 'console.css', 'layout.js'].map((name): [string, number] => {
    const path = join(root, 'dist/console', name);
    return [name, existsSync(path) ? gzipSync(readFileSync(path)).length / 1024 : Number.NaN];
  });
  const all = sizes.reduce((sum, [, size]) => sum + size, 0);
  printTable(
    'What a browser loads, compressed',
    ['what', 'KiB', 'limit'],
    [...sizes.map(([name, size]) => [name, size.toFixed(1), '']), ['all', all.toFixed(1), '150']],
  );
}

async function printOpenings(rig: ConsoleRig): Promise<void> {
  const { console: ours, bare } = await measureOpenings(rig);
  printTable(
    'From the start of a navigation to the picture of a running service',
    ['what', 'p50', 'p95', 'limit', 'beside it'],
    [row('console', ours, '< 300 ms', bare), row('an empty page', bare, '')],
  );
}

async function printLatencies(rig: ConsoleRig): Promise<void> {
  const { device, data, bare, program } = await measureLatencies(rig);
  printTable(
    `From before the commit to the pixel, ${device.length} rows`,
    ['where', 'p50', 'p95', 'limit', 'beside the page'],
    [
      row('Devices', device, '< 100 ms', bare),
      row('Data', data, '< 100 ms', bare),
      row('a page with the raw stream', bare, ''),
      row('a program that counts', program, ''),
    ],
  );
}

async function printFrames(rig: ConsoleRig): Promise<void> {
  const { console: ours, bare } = await measureFrames(rig);
  const cellsOf = (what: string, { intervals, work, longTasks, rows }: FrameTimes): string[] => [
    what,
    `${(1_000 / (intervals.reduce((sum, each) => sum + each, 0) / intervals.length)).toFixed(1)}`,
    `${percentile(intervals, 95).toFixed(1)} ms`,
    `${percentile(work, 50).toFixed(1)} ms`,
    `${percentile(work, 95).toFixed(1)} ms`,
    `${percentile(work, 100).toFixed(0)} ms`,
    `${longTasks.length}`,
    `${rows}`,
  ];
  const head = [
    'what',
    'frames/s',
    'p95 interval',
    'p50 work',
    'p95 work',
    'most work',
    'tasks ≥ 50 ms',
    'rows',
  ];
  printTable(
    '10 s in which 1,000 rows a second arrive on the device that is shown; limit: p95 of the work < 16 ms',
    head,
    [cellsOf('console', ours), cellsOf('an empty page', bare)],
  );
}

async function printHeap(rig: ConsoleRig): Promise<void> {
  const at = process.argv.indexOf('--minutes');
  const minutes = at === -1 ? usualMinutes : Number(process.argv[at + 1]);
  const { megabytes } = await measureHeap(rig, minutes);
  const third = Math.ceil(megabytes.length / 3);
  const [early, late] = [median(megabytes.slice(0, third)), median(megabytes.slice(-third))];
  printTable(
    `Heap after garbage was collected, while 1,000 rows a second come and go, ${minutes} min`,
    ['first third', 'last third', 'ratio', 'limit', 'each'],
    [
      [
        `${early.toFixed(1)} MB`,
        `${late.toFixed(1)} MB`,
        (late / early).toFixed(2),
        '≤ 1.05',
        megabytes.map((each) => each.toFixed(1)).join(' '),
      ],
    ],
  );
}

async function printPairs(rig: ConsoleRig): Promise<void> {
  const pairs = await measurePairs(rig);
  const line = (what: string, pick: 'elapsed' | 'processor', limit: string): string[] => {
    const ratios = pairs.map((pair) => pair[pick].without / pair[pick].beside);
    return [what, median(ratios).toFixed(3), ratios.map((each) => each.toFixed(2)).join(' '), limit];
  };
  printTable(
    'Streaming while the console is open, beside streaming without it; higher is better',
    ['what', 'median', 'pairs', 'limit'],
    [line('speed', 'elapsed', '≥ 0.97'), line('processor of the service', 'processor', '')],
  );
}

async function printMap(rig: ConsoleRig): Promise<void> {
  const { opened, drawn, groups, entries, longTasks } = await measureMap(rig);
  const slowest = groups.length === 0 ? Number.NaN : Math.max(...groups);
  printTable(
    'The map of 200 tables and 1,000 streams',
    ['what', 'measured', 'limit'],
    [
      ['from the navigation to the picture', `${opened} ms`, ''],
      ['from the answer of the service to the picture', `${drawn.toFixed(0)} ms`, '< 500 ms'],
      [`opening a group, median of ${groups.length}`, `${median(groups).toFixed(0)} ms`, '< 500 ms'],
      ['the slowest of them', `${slowest.toFixed(0)} ms`, '< 500 ms'],
      ['entries, when all are open', `${entries}`, ''],
      ['tasks of 50 ms and more, until it is open', longestOf(longTasks.opened), 'none'],
      ['the same, while groups open', longestOf(longTasks.groups), ''],
    ],
  );
}

function longestOf(tasks: readonly number[]): string {
  return tasks.length === 0 ? 'none' : `${tasks.length}, at most ${Math.max(...tasks).toFixed(0)} ms`;
}
