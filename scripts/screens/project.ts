/** Projects of any size, for pictures of screens with little and with much. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../rigs/temporary.ts';
import { root } from '../root.ts';

/** `read`: the number of tables that the config reads. */
export interface Amount {
  readonly name: string;
  readonly tables: number;
  readonly read: number;
  readonly streams: number;
}

export const amounts: readonly Amount[] = [
  { name: '6-tables', tables: 6, read: 6, streams: 6 },
  { name: '32-tables', tables: 32, read: 14, streams: 14 },
  { name: '200-tables', tables: 200, read: 80, streams: 80 },
  { name: '2000-streams', tables: 60, read: 40, streams: 2_000 },
];

const nouns = [
  ...['plots', 'memberships', 'beds', 'plantings', 'harvests', 'journal_entries', 'water_meter_readings'],
  ...['seed_orders', 'seed_order_lines', 'tools', 'tool_loans', 'work_days', 'work_day_sign_ups', 'invoices'],
];

/** Returns the name of a table. Tables after the first ones get the name of an area. */
function tableOf(index: number): string {
  const noun = nouns[index % nouns.length] ?? '';
  const area = Math.floor(index / nouns.length);
  return area === 0 ? noun : `area_${area}_${noun}`;
}

/** Returns the condition on the rows of a table. */
function conditionOf(index: number, area: number): string {
  const ofMembers = 'plot_id IN (SELECT plot_id FROM memberships WHERE user_id = auth.user_id())';
  const forms = [
    'user_id = auth.user_id()',
    ofMembers,
    "plot_id = subscription.parameter('plot')",
    `${ofMembers} AND plot_id = subscription.parameter('plot')`,
  ];
  return area === 0 ? (forms[index % forms.length] ?? '') : `${ofMembers} AND part = ${area}`;
}

function schemaOf({ tables }: Amount): string {
  return Array.from({ length: tables }, (_, index) => {
    const name = tableOf(index);
    return `CREATE TABLE ${name} (id text PRIMARY KEY, plot_id text, user_id text, part int, title text, amount numeric, created_at timestamptz DEFAULT now());
INSERT INTO ${name} SELECT 'r' || n, 'plot-' || n % 4, CASE n % 3 WHEN 0 THEN 'ada' WHEN 1 THEN 'brian' ELSE 'chika' END, n % 50, 'Entry ' || n || ' of ${name}', n * 1.5
FROM generate_series(1, 20) AS n;
`;
  }).join('');
}

function configOf({ read, streams }: Amount): string {
  const list = Array.from({ length: streams }, (_, index) => {
    const [table, area] = [index % read, Math.floor(index / read)];
    const name = area === 0 ? tableOf(table) : `${tableOf(table)}_part_${area}`;
    return `  ${name}:
    auto_subscribe: ${index % 4 < 2}
    query: SELECT * FROM ${tableOf(table)} WHERE ${conditionOf(table, area)}
`;
  });
  return `config:\n  edition: 3\n\nstreams:\n${list.join('')}`;
}

/** Writes a project with a service config for its local service, and returns its folder. */
export function writeProject(amount: Amount): string {
  const folder = join(temporaryFolder('screens'), amount.name);
  mkdirSync(folder);
  execFileSync(process.execPath, [join(root, 'dist/cli.js'), 'init'], { cwd: folder });
  const service = join(folder, 'service.yaml');
  // Another service may be running on this machine.
  const text = readFileSync(service, 'utf8')
    .replace(/^port: .*/m, 'port: 0')
    .replace(/^ {6}port: \d+\n/m, '')
    .replace(/^( +)schema: schema.sql\n/m, '$&$1debug_api: true\n');
  writeFileSync(service, text);
  writeFileSync(join(folder, 'schema.sql'), schemaOf(amount));
  writeFileSync(join(folder, 'sync.yaml'), configOf(amount));
  return folder;
}
