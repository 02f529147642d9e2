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
  const { code, output } = await runScript(path);
  expect({ code, lines: output.trim().split('\n').sort() }).toEqual({ code: 3, lines: ['err', 'out'] });
});

test('arguments arrive as they are', async () => {
  const path = script('console.log(JSON.stringify(process.argv.slice(2)));');
  const { output } = await runScript(path, ['--a b', '"']);
  expect(JSON.parse(output)).toEqual(['--a b', '"']);
});

test('a script that prints nothing for too long is ended, and says so', async () => {
  const path = script('setInterval(() => {}, 1000);');
  const { code, output } = await runScript(path, [], { silenceSeconds: 0.2 });
  expect(code).not.toBe(0);
  expect(output).toMatch(/printed and reported nothing for [\d.]+ s and was ended/);
});

test('a script that is slow but not silent comes to its end', async () => {
  const path = script(
    "let left = 8; const timer = setInterval(() => { console.log('.'); if (--left === 0) clearInterval(timer); }, 200);",
  );
  const { code } = await runScript(path, [], { silenceSeconds: 0.5 });
  expect(code).toBe(0);
});
