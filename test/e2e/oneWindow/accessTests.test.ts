import { match } from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../scripts/rigs/temporary.ts';
import { shareWorkbench } from '../../support/editor/sharedWorkbench.ts';
import {
  chooseAction,
  editorLines,
  openFile,
  pick,
  runCommand,
  takeScreenshot,
} from '../../support/editor/workbench.ts';

const fixture = join(import.meta.dirname, '../../fixtures/access-tests');

/** One session: each step starts where the one before has ended. */
describe('Access tests in the workbench', () => {
  const workbench = shareWorkbench('access-tests', {
    from: () => {
      const project = temporaryFolder('access-tests');
      cpSync(fixture, project, { recursive: true });
      mkdirSync(join(project, '.vscode'));
      const settings = { 'testing.automaticallyOpenTestResults': 'neverOpen' };
      writeFileSync(join(project, '.vscode/settings.json'), JSON.stringify(settings));
      return project;
    },
  });

  /** A row of the Test Explorer, by what came of it. */
  const row = (name: string, state?: 'passed' | 'failed') => {
    const rows = workbench()
      .page.locator('[role="tree"][aria-label="Test Explorer"] [role="treeitem"]')
      .filter({ hasText: name });
    const icon = workbench().page.locator(`.computed-state.codicon-testing-${state}-icon`);
    return (state === undefined ? rows : rows.filter({ has: icon })).first();
  };

  const showTests = async () => {
    await runCommand(workbench().page, 'Testing: Focus on Test Explorer View');
    const file = row('rooms.sync-test.yaml');
    await file.waitFor();
    if ((await file.getAttribute('aria-expanded')) !== 'true')
      await file.locator('.monaco-tl-twistie').click();
  };

  const showFiles = () => runCommand(workbench().page, 'File: Focus on Files Explorer');

  const lineWith = (text: string) => editorLines(workbench().page).filter({ hasText: text }).first();

  it('get a counterexample to a claim by a quick fix', async () => {
    const { page } = workbench();
    await openFile(page, 'rooms.sync-test.yaml');
    await chooseAction(page, 'a room stays in its org', 'Add the counterexample as a test');
    await lineWith('a counterexample').waitFor();
    await takeScreenshot(page, 'access-tests-1-counterexample');
  });

  it('are in the Test Explorer while they are written', async () => {
    const { page } = workbench();
    await lineWith('expect:').click();
    await page.keyboard.press('Control+End');
    // The editor indents the second line as the first.
    await page.keyboard.insertText('  - name: a room is for its org\n  expect: { eve: nothing }');
    await showTests();
    await row('a room is for its org').waitFor();
    await row('a counterexample').waitFor();
    await takeScreenshot(page, 'access-tests-2-explorer');
  });

  it('fail with the rows that differ and the query that decided it', async () => {
    const { page } = workbench();
    await runCommand(page, 'Test: Run All Tests');
    await row('a room is for its org', 'failed').waitFor();
    await row('open rooms are there', 'passed').waitFor();
    await row('a counterexample', 'failed').waitFor();
    await row('rooms.sync-test.yaml', 'failed').waitFor();
    await takeScreenshot(page, 'access-tests-3-failed');
    await runCommand(page, 'Test Results: Focus on Test Results View');
    await page.locator('.part.panel', { hasText: 'eve gets rooms r1, which is not expected' }).waitFor();
    await takeScreenshot(page, 'access-tests-4-why');
    await page.keyboard.press('Control+J');
  });

  it('are run again with each change of the config, saved or not', async () => {
    const { page } = workbench();
    await runCommand(page, 'Test: Start Continuous Run');
    await pick(page, 'Run');
    await page.keyboard.press('Enter');
    await showFiles();
    await openFile(page, 'sync.yaml');
    await lineWith('query:').click();
    await page.keyboard.press('End');
    await page.keyboard.insertText(" AND org = auth.parameter('org')");
    await showTests();
    await row('a room is for its org', 'passed').waitFor();
    await row('a counterexample', 'passed').waitFor();
    await row('rooms.sync-test.yaml', 'passed').waitFor();
    await page.locator('.tab.active.dirty').waitFor();
    await takeScreenshot(page, 'access-tests-5-passed');
    match(readFileSync(join(workbench().folder, 'sync.yaml'), 'utf8'), /kind = 'open'$/m);
  });

  it('tell which conditions they have come to', async () => {
    const { page } = workbench();
    await runCommand(page, 'Test: Run All Tests with Coverage');
    await page
      .locator('.test-coverage-list-item, .testing-coverage-view, .coverage-deco-gutter')
      .first()
      .waitFor();
    await takeScreenshot(page, 'access-tests-6-coverage');
  });

  it('explain in a document which users get which rows, and why', async () => {
    const { page } = workbench();
    await runCommand(page, 'Test: Debug All Tests');
    await page.locator('.tab.active', { hasText: 'Explained access tests' }).waitFor();
    await lineWith('ada').waitFor();
    await takeScreenshot(page, 'access-tests-7-explained');
    await runCommand(page, 'Test: Stop Continuous Run');
  });
});
