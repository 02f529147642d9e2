import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runScript } from '../../scripts/run/command.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-command-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function script(text: string): string {
  const path = join(folder, 'script.mjs');
  writeFileSync(path, text);
  return path;
}

test('both outputs and the exit code come back', async () => {
  const path = script('console.log("out"); console.error("err"); process.exitCode = 3;');
  const { code, output } = await runScript(path, [], { timeoutSeconds: 20 });
  expect({ code, lines: output.trim().split('\n').sort() }).toEqual({ code: 3, lines: ['err', 'out'] });
});

test('arguments arrive as they are', async () => {
  const path = script('console.log(JSON.stringify(process.argv.slice(2)));');
  const { output } = await runScript(path, ['--a b', '"'], { timeoutSeconds: 20 });
  expect(JSON.parse(output)).toEqual(['--a b', '"']);
});

test('what takes too long is ended, and says so', async () => {
  const path = script('setInterval(() => {}, 1000);');
  const { code, output } = await runScript(path, [], { timeoutSeconds: 0.5 });
  expect(code).not.toBe(0);
  expect(output).toContain('took more than 0.5 s');
});
