import { equal, match } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { patient } from '../../../scripts/run/patience.ts';
import { ownProcesses } from '../../support/editor/ownProcesses.ts';
import { shareWorkbench } from '../../support/editor/sharedWorkbench.ts';
import {
  chooseAction,
  editorLines,
  errorSquiggles,
  hoverOver,
  linesOf,
  openFile,
  runCommand,
  save,
  takeScreenshot,
  untilNoProblems,
} from '../../support/editor/workbench.ts';

/** One session: each step starts where the one before has ended. */
describe('The language in the workbench', () => {
  const workbench = shareWorkbench('language');

  const textOf = (name: string) => readFileSync(join(workbench().folder, name), 'utf8');

  it('offers above a sync config what can be done with it', async () => {
    const { page } = workbench();
    await openFile(page, 'sync-language.yaml');
    const lenses = page.locator('.part.editor .codelens-decoration', {
      hasText: /^Deploy.*Validate on service.*Compare with deployed$/,
    });
    await lenses.waitFor();
  });

  it('shows the meaning of a name in a hover', async () => {
    const hover = await hoverOver(workbench().page, 'mine');
    match((await linesOf(hover)).join(' '), /SELECT id FROM lists/);
    await takeScreenshot(workbench().page, 'language-1-hover');
  });

  it('proposes what can follow, while one types', async () => {
    const { page } = workbench();
    await editorLines(page).last().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('End');
    await page.keyboard.type(' and owner_id = auth.us');
    const proposal = page.locator('.suggest-widget.visible .monaco-list-row.focused', { hasText: 'user_id' });
    await proposal.waitFor();
    await takeScreenshot(page, 'language-2-completion');
    await page.keyboard.press('Enter');
    await editorLines(page).filter({ hasText: 'owner_id = auth.user_id()' }).nth(1).waitFor();
  });

  it('lays SQL out when the document is formatted', async () => {
    const { page } = workbench();
    await runCommand(page, 'Format Document');
    await editorLines(page).filter({ hasText: 'SELECT * FROM tasks' }).waitFor();
    await takeScreenshot(page, 'language-3-formatted');
    await save(page);
    const [, query = ''] = textOf('sync-language.yaml').split('  tasks:\n');
    match(query, /SELECT \* FROM tasks\s+WHERE list_id IN mine\s+AND owner_id = auth\.user_id\(\)/);
  });

  it('repairs a mistake with a quick fix', async () => {
    const { page } = workbench();
    await openFile(page, 'sync-mistake.yaml');
    await errorSquiggles(page).first().waitFor({ state: 'attached' });
    await chooseAction(page, 'auto_subscrib', 'Write auto_subscribe');
    await untilNoProblems(page);
    await save(page);
    match(textOf('sync-mistake.yaml'), /^ {4}auto_subscribe: true$/m);
  });

  it('migrates Sync Rules to Sync Streams', async () => {
    const { page } = workbench();
    await openFile(page, 'sync-older.yaml');
    await chooseAction(page, 'mine', 'Migrate Sync Rules to Sync Streams');
    await editorLines(page).filter({ hasText: 'streams:' }).waitFor();
    await takeScreenshot(page, 'language-6-migrated');
    await save(page);
    const migrated = textOf('sync-older.yaml');
    match(migrated, /edition: 3/);
    match(migrated, /owner_id = auth\.user_id\(\)/);
    equal(migrated.includes('bucket_definitions'), false);
  });

  it('is there again when its server was killed', async () => {
    const { page } = workbench();
    const [before = 0] = ownProcesses('/dist/server.js');
    process.kill(before, 'SIGKILL');
    await until(() => ownProcesses('/dist/server.js').some((id) => id !== before));
    await openFile(page, 'sync-mistake.yaml');
    await editorLines(page).last().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('stremas: 1');
    await errorSquiggles(page).first().waitFor({ state: 'attached' });
    await runCommand(page, 'Headwater: Show Log');
    const said = page.locator('.part.panel .view-line', { hasText: 'has ended by itself' });
    await said.first().waitFor();
    equal(await said.count(), 1);
    await takeScreenshot(page, 'language-7-killed');
  });
});

async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + patient(20_000);
  while (!holds()) {
    if (performance.now() > end) throw new Error('The language server was not started again.');
    await delay(50);
  }
}
