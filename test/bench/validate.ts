/** How long the built `headwater validate` takes, from its start to its end, over many files and over one. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/root.ts';
import { median, milliseconds, printTable, timesOf } from './measure.ts';

const program = join(root, 'dist/cli.js');
const rounds = 5;
const many = 500;
/** Of each file. */
const streams = 5;

export function bench(): void {
  if (!existsSync(program)) throw new Error(`${program} is not built: run npm run build.`);
  const folder = mkdtempSync(join(tmpdir(), 'headwater-validate-'));
  mkdirSync(join(folder, 'powersync'));
  for (let index = 0; index < many; index += 1)
    writeFileSync(join(folder, 'powersync', `${index}.yaml`), config(index));
  writeFileSync(join(folder, 'schema.sql'), schema);
  const time = (...args: string[]): string => milliseconds(median(timesOf(rounds, () => run(folder, args))));
  printTable(
    `headwater validate, as a process (median of ${rounds})`,
    ['what', 'ours', 'target'],
    [
      [`${many} files of ${streams} streams`, time('validate', '--quiet'), '< 1,500 ms'],
      ['the same, with the schema', time('validate', '--quiet', '--schema', 'schema.sql'), '< 1,500 ms'],
      ['one file', time('validate', '--quiet', 'powersync/0.yaml'), '< 200 ms'],
      ['--version', time('--version'), '< 150 ms'],
    ],
  );
  rmSync(folder, { recursive: true });
}

function run(cwd: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`It ends with ${status}:\n${stdout}${stderr}`);
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
