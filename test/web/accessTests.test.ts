import { join } from 'node:path';
import {
  editorLines,
  keepFailures,
  openFile,
  openWebWorkbench,
  runCommand,
  takeScreenshot,
  type Workbench,
} from '../support/editor/workbench.ts';

const fixture = join(import.meta.dirname, '../fixtures/access-tests');

/** One session: each step starts where the one before has ended. */
describe('Access tests in a browser without any server', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWebWorkbench(fixture);
  });

  keepFailures('browser-tests', () => workbench);

  after(() => workbench?.close());

  /** A row of the Test Explorer, by what came of it. */
  const row = (name: string, state?: 'passed' | 'failed' | 'skipped') => {
    const rows = workbench.page
      .locator('[role="tree"][aria-label="Test Explorer"] [role="treeitem"]')
      .filter({ hasText: name });
    const icon = workbench.page.locator(`.computed-state.codicon-testing-${state}-icon`);
    return (state === undefined ? rows : rows.filter({ has: icon })).first();
  };

  const showTests = async () => {
    await runCommand(workbench.page, 'Testing: Focus on Test Explorer View');
    const file = row('rooms.sync-test.yaml');
    await file.waitFor();
    if ((await file.getAttribute('aria-expanded')) !== 'true')
      await file.locator('.monaco-tl-twistie').click();
  };

  /** Not by its icon, which the count of unsaved files covers. */
  const openOther = async (name: string) => {
    await runCommand(workbench.page, 'File: Focus on Files Explorer');
    await openFile(workbench.page, name);
  };

  const lineWith = (text: string) => editorLines(workbench.page).filter({ hasText: text }).first();

  it('are in the Test Explorer as soon as a config is open', async () => {
    await openFile(workbench.page, 'sync.yaml');
    await showTests();
    await row('open rooms are there').waitFor();
    await takeScreenshot(workbench.page, 'browser-tests-1-explorer');
  });

  it('fail with the rows that differ', async () => {
    const { page } = workbench;
    await openOther('rooms.sync-test.yaml');
    await lineWith('expect:').click();
    await page.keyboard.press('Control+End');
    // The editor indents the second line as the first.
    await page.keyboard.insertText('  - name: a room is for its org\n  expect: { eve: nothing }');
    await showTests();
    await row('a room is for its org').waitFor();
    await runCommand(page, 'Test: Run All Tests');
    await row('a room is for its org', 'failed').waitFor();
    await row('open rooms are there', 'passed').waitFor();
    await takeScreenshot(page, 'browser-tests-2-failed');
  });

  it('skip claims, which need SQLite, and say so', async () => {
    const { page } = workbench;
    await row('a room stays in its org', 'skipped').waitFor();
    await runCommand(page, 'Test Results: Focus on Test Results View');
    await takeScreenshot(page, 'browser-tests-3-skipped');
    await page.locator('.part.panel', { hasText: 'SQLite' }).waitFor();
  });

  it('pass when the config is right', async () => {
    const { page } = workbench;
    await openOther('sync.yaml');
    await lineWith('query:').click();
    await page.keyboard.press('End');
    await page.keyboard.insertText(" AND org = auth.parameter('org')");
    await showTests();
    await runCommand(page, 'Test: Run All Tests');
    await row('a room is for its org', 'passed').waitFor();
    await row('open rooms are there', 'passed').waitFor();
    await takeScreenshot(page, 'browser-tests-4-passed');
  });
});
