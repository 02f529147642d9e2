/**
 * How long `headwater mcp` takes from its start to its first answer, beside a Node that does nothing; and how many of forty
 * wrong configs reach "no error" by calls of its tools alone, without a model.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../../scripts/root.ts';
import { repairByTools, tablesForWrongConfigs, toolsIn, wrongConfigs } from '../support/cli/agents.ts';
import { median, milliseconds, printTable, ratio } from './measure.ts';

const program = join(root, 'dist/cli.js');
const rounds = 7;

export async function bench(): Promise<void> {
  if (!existsSync(program)) throw new Error(`${program} is not built: run npm run build.`);
  await measureStart();
  await countRepaired();
}

async function measureStart(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-agents-'));
  writeFileSync(join(folder, 'schema.sql'), tablesForWrongConfigs());
  writeFileSync(join(folder, 'sync.yaml'), wrongConfigs()[0]?.text ?? '');
  const runs: number[] = [];
  const calls: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    runs.push(await firstAnswer(folder, 'initialize', { protocolVersion: '2025-11-25', capabilities: {} }));
    calls.push(await firstAnswer(folder, 'tools/call', { name: 'validate_config', arguments: {} }));
    const start = performance.now();
    spawnSync(process.execPath, ['-e', '']);
    bare.push(performance.now() - start);
  }
  rmSync(folder, { recursive: true });
  const row = (what: string, times: readonly number[]) => [
    what,
    milliseconds(median(times)),
    ratio(median(times), median(bare)),
    '< 300 ms',
  ];
  printTable(
    `headwater mcp, from its start (median of ${rounds})`,
    ['what', 'time', 'of a Node that does nothing', 'target'],
    [row('to the answer to initialize', runs), row('to the findings of a config', calls)],
  );
}

/** Milliseconds. */
async function firstAnswer(cwd: string, method: string, params: object): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, [program, 'mcp'], { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const answer = new Promise((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
  await answer;
  const took = performance.now() - start;
  child.stdin.end();
  await ended;
  return took;
}

async function countRepaired(): Promise<void> {
  const { call } = toolsIn({ files: { 'schema.sql': tablesForWrongConfigs() } });
  const configs = wrongConfigs();
  const left: string[] = [];
  for (const { name, text } of configs) {
    const codes = (await repairByTools(text, call)).left;
    if (codes.length > 0) left.push(`${name}: ${codes.join(', ')}`);
  }
  printTable(
    'Wrong configs that reach "no error" by calls of tools alone',
    ['configs', 'without an error', 'target'],
    [[String(configs.length), String(configs.length - left.length), '30']],
  );
  for (const line of left) console.log(`  left: ${line}`);
}
