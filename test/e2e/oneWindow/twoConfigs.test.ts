import { deepEqual, equal } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../scripts/rigs/temporary.ts';
import { shareWorkbench } from '../../support/editor/sharedWorkbench.ts';
import {
  editorLines,
  linesOf,
  openFile,
  pick,
  runCommand,
  takeScreenshot,
} from '../../support/editor/workbench.ts';

const configOf = (table: string): string =>
  `config:\n  edition: 3\nstreams:\n  all:\n    query: SELECT id FROM ${table}\n`;

describe('A project with two sync configs', () => {
  const workbench = shareWorkbench('two-configs', {
    from: () => {
      const project = temporaryFolder('two-configs');
      writeFileSync(join(project, 'sync-app.yaml'), configOf('orders'));
      writeFileSync(join(project, 'sync-shop.yaml'), configOf('baskets'));
      writeFileSync(join(project, 'notes.txt'), 'Two configs.\n');
      return project;
    },
  });
  const rows = () => workbench().page.locator('.quick-input-list .monaco-list-row');
  const question = () => workbench().page.locator('.quick-input-title', { hasText: 'Which sync config?' });

  it('is asked which one a command means, also while neither is open', async () => {
    const { page } = workbench();
    await openFile(page, 'notes.txt');
    await runCommand(page, 'Headwater: Generate Client Schema');
    await question().waitFor();
    deepEqual(
      (await linesOf(rows())).map((row) => row.trim()),
      ['sync-app.yaml', 'sync-shop.yaml'],
    );
    await takeScreenshot(page, 'two-configs-1-closed');
    await page.keyboard.press('Escape');
    await question().waitFor({ state: 'hidden' });
  });

  it('is asked which one a command means while both are open, and the chosen one is used', async () => {
    const { page } = workbench();
    await openFile(page, 'sync-app.yaml');
    await openFile(page, 'sync-shop.yaml');
    await openFile(page, 'notes.txt');
    await runCommand(page, 'Headwater: Generate Client Schema');
    await question().waitFor();
    equal(await rows().count(), 2);
    // Leaving the previous question without an answer is not a failure.
    equal(await page.locator('.notification-toast').count(), 0);
    await takeScreenshot(page, 'two-configs-2-open');
    await pick(page, 'sync-app.yaml');
    await pick(page, 'TypeScript');
    await editorLines(page).filter({ hasText: 'orders' }).first().waitFor();
  });

  it('is not asked while one of them is in the editor', async () => {
    const { page } = workbench();
    await openFile(page, 'sync-shop.yaml');
    await runCommand(page, 'Headwater: Generate Client Schema');
    await pick(page, 'TypeScript');
    await editorLines(page).filter({ hasText: 'baskets' }).first().waitFor();
  });
});
