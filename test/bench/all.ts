/**
 * The benches that say how the service and the language server do, one after the other, each in a process of its own:
 * into docs/BENCHMARKS.md, with the machine and the versions, and as they were printed into `artifacts/`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/root.ts';
import { postgresPrograms } from '../support/processes/postgres.ts';
import type { PrintedTable } from './measure.ts';

interface BenchShare {
  readonly title: string;
  /** The arguments with which a long bench makes fewer rounds than on its own. */
  readonly args?: readonly string[];
  /** The share of the 13 minutes of all benches. A bench may also use the time that earlier ones have left. */
  readonly seconds: number;
}

/**
 * The benches with their times, which are enough on a machine that does nothing else. A bench that needs longer is cut, and the
 * page says so.
 */
const benches: Readonly<Record<string, BenchShare>> = {
  start: { title: 'Start', seconds: 30 },
  completion: { title: 'Completion', seconds: 5 },
  evaluate: { title: 'The engine', seconds: 20 },
  storage: { title: 'The storages', args: ['--short'], seconds: 20 },
  sync: { title: 'From the source to clients', args: ['--short'], seconds: 55 },
  deploys: { title: 'Deploys', args: ['--short'], seconds: 150 },
  scale: {
    title: 'What a row, a client and a checkpoint cost',
    args: ['--processes', '1,4'],
    seconds: 400,
  },
  lsp: { title: 'The language server', args: ['--short'], seconds: 100 },
};

const artifacts = join(root, 'artifacts');
const tablesFile = join(artifacts, 'benchmarks.jsonl');
const page = join(root, 'docs/BENCHMARKS.md');

interface Section {
  readonly title: string;
  readonly command: string;
  readonly seconds: number;
  readonly isWhole: boolean;
  readonly tables: readonly PrintedTable[];
}

export async function bench(): Promise<void> {
  mkdirSync(artifacts, { recursive: true });
  let end = Date.now();
  const ground = machine();
  const sections: Section[] = [];
  for (const [name, { title, args = [], seconds: share }] of Object.entries(benches)) {
    const command = [name, ...args].join(' ');
    console.log(`\n${command} …`);
    end += share * 1_000;
    const begun = Date.now();
    const isWhole = await runBench([name, ...args], end - begun);
    const seconds = Math.round((Date.now() - begun) / 1_000);
    sections.push({ command, title, seconds, isWhole, tables: readTables() });
    writeFileSync(join(artifacts, 'benchmarks.json'), JSON.stringify(sections, null, 2));
  }
  rmSync(tablesFile, { force: true });
  writeFileSync(page, pageOf(ground, sections));
}

/** Whether it came to its end in time. */
async function runBench(args: readonly string[], milliseconds: number): Promise<boolean> {
  rmSync(tablesFile, { force: true });
  if (milliseconds <= 0) return false;
  const child = spawn(
    process.execPath,
    ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', join(root, 'scripts/bench.ts'), ...args],
    { stdio: 'inherit', detached: true, env: { ...process.env, HEADWATER_BENCH_TABLES: tablesFile } },
  );
  // The service and the database that it has started are in its group.
  const endGroup = (): void => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  };
  const late = setTimeout(endGroup, milliseconds);
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const giveUp = (): void => {
    endGroup();
    process.exit(1);
  };
  for (const signal of signals) process.once(signal, giveUp);
  const [code] = (await once(child, 'exit')) as [number | null];
  for (const signal of signals) process.off(signal, giveUp);
  clearTimeout(late);
  return code === 0;
}

function readTables(): readonly PrintedTable[] {
  if (!existsSync(tablesFile)) return [];
  const lines = readFileSync(tablesFile, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as PrintedTable);
}

function pageOf(ground: readonly string[], sections: readonly Section[]): string {
  const head = [
    '# Benchmarks',
    '',
    '`npm run bench -- all` writes this page. Figures of other machines differ; ratios to what the machine can do differ less. How to',
    'read them, and what follows for larger sizes: [scaling](SCALING.md). The page compares with no other sync service, because services',
    'can only be compared on one machine: `npm run bench -- peers --reference COMMAND` measures this one and another one in the same run.',
    '',
    ...ground.map((line) => `- ${line}`),
    '',
  ];
  return [...head, ...sections.flatMap(linesOf)].join('\n');
}

function linesOf({ title, command, seconds, isWhole, tables }: Section): readonly string[] {
  const note = isWhole
    ? `\`npm run bench -- ${command}\`, ${seconds} s.`
    : `\`npm run bench -- ${command}\` did not come to its end in its ${seconds} s.`;
  return [`## ${title}`, '', note, '', ...tables.flatMap(markdownOf)];
}

function markdownOf({ title, head, rows }: PrintedTable): readonly string[] {
  const line = (cells: readonly string[]) =>
    `| ${head.map((_, index) => (cells[index] ?? '').replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = head.map((_, index) => (index === 0 ? '---' : '--:'));
  return [`**${title}**`, '', line(head), line(rule), ...rows.map(line), ''];
}

function machine(): readonly string[] {
  const [first] = cpus();
  const { node, v8, sqlite } = process.versions;
  return [
    `${cpus().length} × ${first?.model.trim() ?? 'a processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB of memory, ${type()} ${release()}`,
    `Node ${node}, V8 ${v8}, SQLite ${sqlite ?? 'of Node'}, ${postgresVersion()}`,
    `${new Date().toISOString().slice(0, 10)}, at a load of ${(loadavg()[0] ?? 0).toFixed(1)} when it began: above ${cpus().length}, times are of a busy machine, and processor times tell more`,
  ];
}

function postgresVersion(): string {
  return postgresPrograms.kind === 'missing' ? 'no PostgreSQL' : `PostgreSQL ${postgresPrograms.version}`;
}
