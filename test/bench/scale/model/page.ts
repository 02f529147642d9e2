/** Writes the predictions of the model into docs/SCALING.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../../scripts/root.ts';
import { type Cost, costs, laws, shortNumber } from './model.ts';

export const scalingPage = join(root, 'docs/SCALING.md');
const edges = { begin: '<!-- Made by `npm run bench -- model`. -->', end: '<!-- Until here. -->' };

/** `npm run bench -- model`: after the constants have changed. */
export function bench(): void {
  writeFileSync(scalingPage, withModel(readFileSync(scalingPage, 'utf8')));
}

export function withModel(page: string): string {
  const [before, rest = ''] = page.split(edges.begin);
  const [, after] = rest.split(edges.end);
  if (after === undefined) throw new Error(`${scalingPage} has no place for the model: ${edges.begin}`);
  return `${before}${edges.begin}\n\n${modelText()}\n\n${edges.end}${after}`;
}

function modelText(): string {
  const costRows = laws
    .filter(({ cost }) => cost !== costs.statements)
    .map(({ what, sizes, unit, cost }) => [what, costText(cost, unit, sizes)]);
  return [
    '### What things cost',
    '',
    ...table(['What', 'Cost'], costRows),
    '',
    '### Larger sizes',
    '',
    '**Computed from these costs, not measured.** Processors are cores of the machine of the benchmarks.',
    '',
    ...table(['Size', 'A process', 'The database', 'What follows'], sizeRows()),
  ].join('\n');
}

function costText({ fixed, each }: Cost, unit: string, sizes: string): string {
  const [short = '', ...rest] = unit.split(' ');
  const of = rest.length > 0 ? ` ${rest.join(' ')}` : '';
  const grown = `${amount(each, short)} × ${sizes}`;
  return fixed === 0 ? `${grown}${of && `,${of}`}` : `${amount(fixed, short)} + ${grown}${of && `,${of}`}`;
}

const smaller: Readonly<Record<string, readonly [unit: string, factor: number]>> = {
  s: ['ms', 1_000],
  ms: ['µs', 1_000],
  GB: ['MB', 1_000],
  MB: ['KB', 1_000],
  KB: ['bytes', 1_000],
};

/** `0.0107`, `ms` → `10.7 µs` */
function amount(value: number, unit: string): string {
  const next = smaller[unit];
  const least = unit === 'KB' ? 1 : 0.1;
  if (value >= least || next === undefined) return `${shortNumber(value)} ${unit}`;
  return amount(value * next[1], next[0]);
}

function at({ fixed, each }: Cost, size: number): number {
  return fixed + each * size;
}

/** Clients of one process. */
const ofProcess = 10_000;
/** The largest part of its core that a process may use, so that clients do not wait long. */
const busy = 0.7;

/** Milliseconds of the database's processor for the write checkpoint of a client, and seconds between two of them. */
const lookup = 0.0022;
const lookedUpEvery = 30;

function sizeRows(): string[][] {
  const shared = at(costs.change, ofProcess);
  const memory = `${shortNumber(at(costs.memory, ofProcess))} MB`;
  const rate = shortNumber((busy * 1_000) / shared);
  const [ten, hundred] = [10, 100];
  /** Cores that announce uploads to processes: each asks once a second, and now and then for all of its clients. */
  const asked = (processes: number, uploads: number) => {
    const once = at(costs.writeCheckpoints, uploads);
    return (processes * (once + (ofProcess * lookup) / lookedUpEvery)) / 1_000;
  };
  // 100 clients of 1,000,000: so many of 100 processes have at least one of them.
  const spread = hundred * (1 - (1 - 1 / hundred) ** hundred);
  const wide = at(costs.databaseChange, spread) + costs.notification.each * (hundred - spread);
  const narrow = at(costs.databaseChange, 1) + costs.notification.each * (hundred - 1);
  const cores = (change: number) => (change * 100) / 1_000 + asked(hundred, 1_000);
  /** The prediction for 100,000 clients that share a bucket. */
  const shown = (busy / shared) * at(costs.databaseChange, ten) + asked(ten, 100);
  const billion = 1_000_000_000;
  const hours = (cost: Cost) => `${shortNumber(at(cost, billion) / 3_600)} hours`;
  return [
    [
      '10,000 clients share a bucket',
      `${shortNumber(shared)} ms a change, ${memory}`,
      'embedded',
      `one process, up to ${rate} changes a second`,
    ],
    [
      '100,000 clients share a bucket',
      `${shortNumber(shared)} ms a change, ${memory}`,
      `${shortNumber(at(costs.databaseChange, ten))} ms a change, ${shortNumber(asked(ten, 100))} of a core to announce 100 uploads a second`,
      `${ten} processes, up to ${rate} changes a second; ${databaseFor(shown)}`,
    ],
    [
      '1,000,000 clients, each change for 100 of them, at any process',
      `${shortNumber(at(costs.change, 100 / spread))} ms a change, ${memory}`,
      `${shortNumber(wide)} ms a change; at 100 changes a second ${shortNumber(cores(wide))} cores, ${shortNumber(asked(hundred, 1_000))} of them to announce 1,000 uploads`,
      `${hundred} processes, of a core each: 50 machines with 2 cores and 8 GiB; ${databaseFor(cores(wide))}`,
    ],
    [
      'the same, if clients that share buckets are at one process',
      `${shortNumber(at(costs.change, 100))} ms a change, ${memory}`,
      `${shortNumber(narrow)} ms a change; at 100 changes a second ${shortNumber(cores(narrow))} cores`,
      `${hundred} processes; ${databaseFor(cores(narrow))}`,
    ],
    [
      '1,000,000,000 rows of 208 bytes, in one bucket each',
      `${hours(costs.copy)} of a core to copy into the embedded storage, ${hours(costs.postgresCopy)} into PostgreSQL`,
      `${hours(costs.postgresRows)} of a core to store them`,
      `${shortNumber(at(costs.disk, billion) / 1_000)} GB in the embedded storage, ${shortNumber(at(costs.postgresDisk, billion) / 1_000)} GB in PostgreSQL, before its own reserve for VACUUM and WAL`,
    ],
  ];
}

/** A machine as one can have them. */
function databaseFor(cores: number): string {
  let size = 2;
  while (size * busy < cores) size *= 2;
  return `a database of ${size} cores`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}
