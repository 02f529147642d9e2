/** Tests the setup in docs/EDITORS.md in a real Emacs, if one is installed with Eglot. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { patient } from '../../../scripts/run/patience.ts';
import { blockOf, commandParts, trialConfig } from '../../support/editor/others.ts';

/** Arguments that make Emacs find the packages of a distribution. */
const packages = ['--eval', '(package-initialize)'];

const isInstalled =
  spawnSync('emacs', ['--batch', ...packages, '--eval', "(progn (require 'eglot) (require 'yaml-mode))"])
    .status === 0;
if (!isInstalled) console.log('SKIPPED emacs: Emacs with Eglot and yaml-mode is missing.');

/** Sends the requests that commands would send, and writes each answer on a line. */
const asking = `
(defun say (name value) (princ (format "\\n%s %s\\n" name (json-encode value))))
(defun wait-until (ready)
  (let ((end (+ (float-time) 40)))
    (while (and (not (funcall ready)) (< (float-time) end)) (accept-process-output nil 0.05))))
(setq eglot-sync-connect t eglot-confirm-server-initiated-edits nil)
(find-file "sync.yaml")
(run-hooks 'post-command-hook)
(wait-until #'eglot-current-server)
(flymake-start)
(wait-until (lambda () (flymake-diagnostics)))
(say 'diagnostics (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))
(goto-char (point-min))
(search-forward "auth.us")
(say 'completion (all-completions "" (nth 2 (eglot-completion-at-point))))
(say 'hover (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover (eglot--TextDocumentPositionParams)))
(goto-char (point-min))
(search-forward "  lis")
(eglot-rename "ours")
(eglot-format-buffer)
(say 'text (buffer-string))
(set-buffer-modified-p nil)
(eglot-shutdown (eglot-current-server))
`;

describe.skipIf(!isInstalled)('Emacs with the setup in EDITORS', () => {
  let folder: string;
  let said: ReadonlyMap<string, unknown>;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-emacs-'));
    writeFileSync(join(folder, 'sync.yaml'), trialConfig);
    const command = commandParts.map((part) => JSON.stringify(part)).join(' ');
    writeFileSync(join(folder, 'init.el'), blockOf('elisp').replace('"headwater"', command));
    writeFileSync(join(folder, 'ask.el'), asking);
    const args = ['--batch', ...packages, '-l', 'init.el', '-l', 'ask.el'];
    const env = { ...process.env, HOME: folder };
    const { stdout } = spawnSync('emacs', args, {
      cwd: folder,
      env,
      encoding: 'utf8',
      timeout: patient(100_000),
    });
    const lines = [...stdout.matchAll(/^(\w+) ([[{"].*)$/gm)];
    said = new Map(lines.map(([, name = '', value = '']) => [name, JSON.parse(value)]));
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
    expect(textOf('hover')).toMatch(/auth\.user_id/);
  });

  test('renames and formats', () => {
    expect(said.get('text')).toMatch(
      / {2}ours:\n {4}query: SELECT \* FROM lists WHERE owner_id = auth\.user_id\(\)/,
    );
  });
});
