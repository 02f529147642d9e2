import { equal, match } from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../scripts/rigs/temporary.ts';
import { deploy, type ForeignService, foreignToken, openForeignService } from '../support/foreignService.ts';
import {
  editorLines,
  keepFailures,
  linesOf,
  openFile,
  openProblems,
  openWorkbench,
  runCommand,
  save,
  takeScreenshot,
  type Workbench,
} from '../support/workbench.ts';

const config = `config:
  edition: 3

streams:
  lists:
    auto_subscribe: true
    query: SELECT * FROM lists
`;

/** Milliseconds: health is asked for every five seconds, less often after failures. */
const patience = 30_000;

/** One session: each step starts where the one before has ended. */
describe('A service that is not ours, in the workbench', () => {
  let service: ForeignService;
  let workbench: Workbench;

  before(async () => {
    service = await openForeignService();
    const files = temporaryFolder('foreign');
    writeFileSync(join(files, 'sync.yaml'), config);
    writeFileSync(
      join(files, 'cli.yaml'),
      `type: self-hosted\napi_url: ${service.url}\napi_key: ${foreignToken}\n`,
    );
    mkdirSync(join(files, '.vscode'));
    writeFileSync(join(files, '.vscode/settings.json'), JSON.stringify({ 'headwater.allowDeployTo': [] }));
    workbench = await openWorkbench(files);
  });

  keepFailures('foreign', () => workbench);

  after(async () => {
    await workbench.close();
    await service.close();
  });

  const untilStatus = (text: RegExp) =>
    workbench.page
      .locator('.statusbar-item[id$="headwater.target"]')
      .filter({ hasText: text })
      .waitFor({ timeout: patience });
  const dialog = () => workbench.page.locator('.monaco-dialog-box');
  const deploys = () => service.requests.filter((request) => request.endsWith('/deploy')).length;

  it('is found in cli.yaml', async () => {
    const { page } = workbench;
    await openFile(page, 'sync.yaml');
    await page.locator('.part.editor .codelens-decoration', { hasText: 'Deploy' }).waitFor();
    await runCommand(page, 'Headwater: Select Target');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'cli.yaml' }).first().click();
    await untilStatus(/nothing deployed/);
  });

  it('is deployed to only after one question, which says what changes', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Deploy Sync Config');
    await dialog().waitFor();
    match((await linesOf(dialog())).join(' '), /Deploy to 127\.0\.0\.1:\d+\?.*lists: new; reads lists/);
    await takeScreenshot(page, 'foreign-1-question');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    equal(deploys(), 0);
  });

  it('is followed while it copies, until it serves', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Deploy Sync Config');
    await dialog().locator('.monaco-button', { hasText: 'Deploy' }).click();
    await untilStatus(/copying/);
    await takeScreenshot(page, 'foreign-2-copying');
    service.activate();
    await untilStatus(/^\s*127\.0\.0\.1:\d+\s*$/);
    equal(deploys(), 1);
  });

  it('is not green while its source cannot be reached', async () => {
    const { page } = workbench;
    service.state.sourceConnected = false;
    await untilStatus(/source not reachable/);
    await takeScreenshot(page, 'foreign-3-broken');
    service.state.sourceConnected = true;
    await untilStatus(/^\s*127\.0\.0\.1:\d+\s*$/);
  });

  it('is not green when its progress is old, though it answers', async () => {
    service.state.lastKeepalive = new Date(Date.now() - 6 * 60_000).toISOString();
    await untilStatus(/no progress for 6 min/);
    service.state.lastKeepalive = new Date(Date.now() + 3600_000).toISOString();
    await untilStatus(/^\s*127\.0\.0\.1:\d+\s*$/);
  });

  it('has its own findings beside ours', async () => {
    const { page } = workbench;
    await editorLines(page).filter({ hasText: 'FROM lists' }).first().click();
    await page.keyboard.press('End');
    await page.keyboard.type('_gone');
    await save(page);
    await runCommand(page, 'Headwater: Validate on Service');
    const problem = (await openProblems(page)).filter({ hasText: 'not found' });
    match((await linesOf(problem)).join(' '), /headwater \(127\.0\.0\.1:\d+\).*Ln 7, Col 26/);
    await takeScreenshot(page, 'foreign-4-validated');
  });

  it('is overwritten only after one has heard that others deployed', async () => {
    const { page } = workbench;
    deploy(service.state, 'streams: {}');
    service.activate();
    await runCommand(page, 'Headwater: Deploy Sync Config');
    await dialog().waitFor();
    match((await linesOf(dialog())).join(' '), /deployed to by someone else/);
    await takeScreenshot(page, 'foreign-5-changed');
    await dialog().locator('.monaco-button', { hasText: 'Compare' }).click();
    await page.locator('.monaco-diff-editor').first().waitFor();
    equal(deploys(), 1);
  });
});
