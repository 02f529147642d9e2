/** Tests the setup in docs/EDITORS.md in a real Vim, if one is installed with ALE. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { patient } from '../../../scripts/run/patience.ts';
import { blockOf, commandParts, trialConfig } from '../../support/editor/others.ts';

const silent = ['-N', '-i', 'NONE', '-n', '-es'];

const isInstalled =
  spawnSync('vim', [
    ...silent,
    '-u',
    'NONE',
    '-c',
    'packadd ale',
    '-c',
    'if !exists("g:loaded_ale") | cquit | endif | qall!',
  ]).status === 0;
if (!isInstalled) console.log('SKIPPED vim: Vim with ALE is missing.');

/** Sends requests, and writes each answer on a line of a file. */
const asking = `
function! Say(name, value)
  call writefile([a:name . ' ' . json_encode(a:value)], 'said.txt', 'a')
endfunction
function! Wait(ready)
  let tries = 800
  while tries > 0 && !a:ready()
    sleep 50m
    let tries -= 1
  endwhile
endfunction
call Wait({-> !empty(ale#engine#GetLoclist(bufnr('')))})
call Say('diagnostics', ale#engine#GetLoclist(bufnr('')))
call cursor(5, 56)
let g:ale_hover_to_preview = 1
ALEHover
call Wait({-> bufnr('ALEPreviewWindow') > 0})
call Say('hover', getbufline(bufnr('ALEPreviewWindow'), 1, '$'))
qall!
`;

describe.skipIf(!isInstalled)('Vim with the setup in EDITORS', () => {
  let folder: string;
  let said: ReadonlyMap<string, unknown>;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-vim-'));
    writeFileSync(join(folder, 'sync.yaml'), trialConfig);
    const [program = '', ...rest] = commandParts;
    const setUp = blockOf('vim')
      .replace("'executable': 'headwater'", `'executable': '${program}'`)
      .replace("'%e lsp", `'%e ${rest.join(' ')} lsp`);
    writeFileSync(join(folder, 'vimrc'), `filetype plugin on\n${setUp}`);
    writeFileSync(join(folder, 'ask.vim'), asking);
    const args = [...silent, '-u', 'vimrc', '-c', 'edit sync.yaml', '-S', 'ask.vim'];
    spawnSync('vim', args, { cwd: folder, timeout: patient(100_000) });
    const file = join(folder, 'said.txt');
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const lines = [...text.matchAll(/^(\w+) (.+)$/gm)];
    said = new Map(lines.map(([, name = '', value = '']) => [name, JSON.parse(value)]));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('shows diagnostics', () => {
    expect(JSON.stringify(said.get('diagnostics'))).toMatch(/unknown-key/);
  });

  test('hovers', () => {
    expect(JSON.stringify(said.get('hover'))).toMatch(/auth\.user_id/);
  });
});
