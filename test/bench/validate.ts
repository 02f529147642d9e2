/**
 * How long `headwater validate` takes, from its start to its end, and how long the official command line takes for the
 * same files in the same run. That one takes one file a process, and asks a service: ours, on this machine, with the
 * same tables. Ours reads the tables from their SQL file.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/root.ts';
import { startServiceProcess } from '../support/processes/serviceProcess.ts';
import { childrenSeconds, median, milliseconds, printTable, ratio } from './measure.ts';
import { installOfficialCli, officialVersion } from './officialCli.ts';

const program = join(root, 'dist/cli.js');
const rounds = 5;
const many = 500;
/** Of each file. */
const streams = 5;
const token = 'asks-for-validation';

export async function bench(): Promise<void> {
  if (!existsSync(program)) throw new Error(`${program} is not built: run npm run build.`);
  const folder = mkdtempSync(join(tmpdir(), 'headwater-validate-'));
  const project = join(folder, 'project');
  writeFiles(folder, project);
  const official = await installOfficialCli();
  const service = await startServiceProcess(join(folder, 'service.yaml'));
  try {
    compare(project, (file) => official(project, file, { url: service.url, token }));
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}

function compare(project: string, official: (file: string) => void): void {
  const ours = (...args: string[]): Took => took(() => headwater(project, args));
  const all = ours('validate', '--quiet', '--schema', 'schema.sql');
  const one = ours('validate', '--quiet', '--schema', 'schema.sql', pathOf(0));
  // Its first question starts the database of the service.
  official(pathOf(0));
  const theirs = took((round) => official(pathOf(round)));
  const theirAll = { wall: theirs.wall * many, processor: theirs.processor * many };
  printTable(
    `Validation, from start to end of each process (median of ${rounds}): elapsed, and of processors`,
    ['what', 'headwater', `powersync ${officialVersion}`, 'times faster', 'target'],
    [
      [
        `${many} files of ${streams} streams`,
        shown(all),
        shown(theirAll),
        faster(all, theirAll),
        '< 1,500 ms, 10 ×',
      ],
      ['one file', shown(one), shown(theirs), faster(one, theirs), '< 200 ms'],
      ['the same, no tables', shown(ours('validate', '--quiet', pathOf(0))), '', '', '< 200 ms'],
      ['--version', shown(ours('--version')), '', '', '< 150 ms'],
    ],
  );
  console.log(
    `  powersync takes one file a process: its ${many} files are ${many} times its one file, not measured.`,
  );
}

/** Milliseconds. */
interface Took {
  readonly wall: number;
  readonly processor: number;
}

function took(run: (round: number) => void): Took {
  const all = Array.from({ length: rounds }, (_, round) => {
    const begin = { wall: performance.now(), processor: childrenSeconds() };
    run(round);
    return {
      wall: performance.now() - begin.wall,
      processor: (childrenSeconds() - begin.processor) * 1000,
    };
  });
  return {
    wall: median(all.map(({ wall }) => wall)),
    processor: median(all.map(({ processor }) => processor)),
  };
}

function shown({ wall, processor }: Took): string {
  return Number.isNaN(processor) ? milliseconds(wall) : `${milliseconds(wall)}, ${milliseconds(processor)}`;
}

function faster(ours: Took, theirs: Took): string {
  const elapsed = ratio(theirs.wall, ours.wall);
  return Number.isNaN(ours.processor) ? elapsed : `${elapsed}, ${ratio(theirs.processor, ours.processor)}`;
}

function headwater(cwd: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`It ends with ${status}:\n${stdout}${stderr}`);
}

function pathOf(index: number): string {
  return `powersync/${index}.yaml`;
}

function writeFiles(folder: string, project: string): void {
  mkdirSync(join(project, 'powersync'), { recursive: true });
  for (let index = 0; index < many; index += 1) writeFileSync(join(project, pathOf(index)), config(index));
  writeFileSync(join(project, 'schema.sql'), schema);
  writeFileSync(join(folder, 'service.yaml'), serviceConfig);
}

function config(index: number): string {
  const list = Array.from(
    { length: streams },
    (_, number) => `  stream_${index}_${number}:
    query: |
      SELECT todos.id, todos.list_id, todos.description, todos.completed
      FROM todos
        JOIN lists ON lists.id = todos.list_id
      WHERE lists.owner_id = auth.user_id() AND todos.list_id = subscription.parameter('list_${number}')
`,
  );
  return `config:\n  edition: 3\n\nstreams:\n${list.join('')}`;
}

const schema = `create table lists (id uuid primary key, owner_id text);
create table todos (id uuid primary key, list_id uuid, description text, completed boolean);
`;

const serviceConfig = `port: 0
replication: { connections: [{ type: embedded, schema: project/schema.sql }] }
api: { tokens: [${token}] }
`;
