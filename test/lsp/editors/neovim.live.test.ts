/** Tests the setup in docs/EDITORS.md in a real Neovim, if one is installed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { patient } from '../../../scripts/run/patience.ts';
import { commandParts, trialConfig } from '../../support/editor/others.ts';
import { root } from '../../support/house/imports.ts';

const isInstalled = spawnSync('nvim', ['--version']).status === 0;
if (!isInstalled) console.log('SKIPPED neovim: nvim is missing. Install Neovim 0.7 or newer.');

/** Sends the requests that pressed keys would send, and writes each answer on a line. */
const asking = `
local function say(name, value) io.stdout:write('\\n', name, ' ', vim.fn.json_encode(value), '\\n') end
local function at(line, character, more)
  return vim.tbl_extend('force', vim.lsp.util.make_position_params(), {
    position = { line = line, character = character },
  }, more or {})
end
local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 10000) or {}
  for _, answer in pairs(answers) do return answer.result end
end
vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 20)
say('diagnostics', vim.diagnostic.get(0))
say('completion', ask('textDocument/completion', at(4, 53)))
say('hover', ask('textDocument/hover', at(4, 53)))
say('keys', { vim.bo.omnifunc, vim.fn.maparg('K', 'n', false, true).buffer })
say('rename', ask('textDocument/rename', at(3, 3, { newName = 'ours' })))
if vim.lsp.buf.format then vim.lsp.buf.format() else vim.lsp.buf.formatting_sync(nil, 10000) end
say('text', table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n'))
vim.cmd('qall!')
`;

describe.skipIf(!isInstalled)('Neovim with the setup in EDITORS', () => {
  let folder: string;
  let said: ReadonlyMap<string, unknown>;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-neovim-'));
    for (const home of ['config', 'data', 'state']) mkdirSync(join(folder, home));
    writeFileSync(join(folder, 'sync.yaml'), trialConfig);
    writeFileSync(join(folder, 'init.lua'), setUp());
    writeFileSync(join(folder, 'ask.lua'), asking);
    said = run(folder);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const textOf = (name: string) => JSON.stringify(said.get(name));

  test('shows diagnostics', () => {
    expect(textOf('diagnostics')).toMatch(/unknown-key/);
  });

  test('completes', () => {
    expect(textOf('completion')).toMatch(/user_id/);
  });

  test('hovers', () => {
    expect(textOf('hover')).toMatch(/user_id/);
  });

  test('has the keys for completion and hover', () => {
    expect(said.get('keys')).toEqual(['v:lua.vim.lsp.omnifunc', 1]);
  });

  test('renames', () => {
    expect(textOf('rename')).toMatch(/"newText":"ours"/);
  });

  test('formats', () => {
    expect(said.get('text')).toMatch(/SELECT \* FROM lists WHERE owner_id = auth\.user_id\(\)/);
  });
});

/** Returns the block for the version of the installed Neovim, with the built server as the command. */
function setUp(): string {
  const page = readFileSync(join(root, 'docs/EDITORS.md'), 'utf8');
  const [newer = '', older = ''] = [...page.matchAll(/```lua\n(.*?)```/gs)].map(([, block]) => block);
  const version = /NVIM v0\.(\d+)/.exec(execFileSync('nvim', ['--version'], { encoding: 'utf8' }))?.[1];
  const command = commandParts.map((part) => `'${part}'`).join(', ');
  return (Number(version) >= 11 ? newer : older).replaceAll("'headwater'", (name, at: number, all: string) =>
    all.slice(0, at).endsWith('cmd = { ') ? command : name,
  );
}

function run(folder: string): ReadonlyMap<string, unknown> {
  const args = ['--headless', '-u', join(folder, 'init.lua'), 'sync.yaml', '-c', `luafile ${folder}/ask.lua`];
  const homes = { XDG_CONFIG_HOME: 'config', XDG_DATA_HOME: 'data', XDG_STATE_HOME: 'state' };
  const env = Object.entries(homes).map(([name, path]) => [name, join(folder, path)]);
  const { stdout } = spawnSync('nvim', args, {
    cwd: folder,
    env: { ...process.env, ...Object.fromEntries(env) },
    encoding: 'utf8',
    timeout: patient(60_000),
  });
  const lines = [...stdout.matchAll(/^(\w+) (.+)$/gm)];
  return new Map(lines.map(([, name = '', value = '']) => [name, JSON.parse(value)]));
}
