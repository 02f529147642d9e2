import { equal, match } from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { inConsole } from '../support/editor/consoleFrame.ts';
import {
  answerPage,
  defaultAnswer,
  textOfPage,
  untilAnswered,
  untilAsked,
} from '../support/editor/deployPage.ts';
import { untilNews } from '../support/editor/news.ts';
import { untilExplained, untilStatus } from '../support/editor/statusBar.ts';
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
} from '../support/editor/workbench.ts';
import { makeForeignProject } from '../support/processes/foreignProject.ts';
import {
  deploy,
  type ForeignService,
  openForeignService,
  textOf,
} from '../support/processes/foreignService.ts';

const diagnostics = '/api/admin/v1/diagnostics';
const validatePath = '/api/admin/v1/validate';
const deployPath = '/api/sync-rules/v1/deploy';

const refuse =
  (status: number, code: string, description: string): RequestListener =>
  (_, response) =>
    void response.writeHead(status).end(JSON.stringify({ error: { status, code, description } }));

/** Servers that answer instead of the service, each with the text of the status bar and its explanation. */
const troubles: readonly [string, RequestListener, RegExp, RegExp][] = [
  [
    'a web page',
    (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>'),
    /no sync service/,
    /answers with a web page/,
  ],
  [
    'a redirect',
    (_, response) => response.writeHead(302, { location: 'https://login.example/' }).end(),
    /no sync service/,
    /redirects to login\.example/,
  ],
  ['a failure', refuse(500, 'PSYNC_S2001', 'Something went wrong'), /: fails/, /Something went wrong/],
  [
    'an endpoint that is missing',
    refuse(404, 'PSYNC_S2002', 'No such path'),
    /: too old/,
    /it does not support/,
  ],
  [
    'another token',
    refuse(401, 'PSYNC_S2101', 'Authorization failed'),
    /token refused/,
    /token from cli\.yaml/,
  ],
];

/** One session: each step starts where the one before has ended. */
describe('A service that is not ours, in the workbench', () => {
  let service: ForeignService;
  let workbench: Workbench;

  before(async () => {
    service = await openForeignService();
    const files = makeForeignProject(service.url);
    mkdirSync(join(files, '.vscode'));
    // The settings of the folder cannot add the hosts that the user has removed.
    writeFileSync(
      join(files, '.vscode/settings.json'),
      JSON.stringify({ 'headwater.allowDeployTo': ['127.0.0.1', 'localhost'] }),
    );
    workbench = await openWorkbench(files, { settings: { 'headwater.allowDeployTo': [] } });
  });

  keepFailures('foreign', () => workbench);

  after(async () => {
    await workbench?.close();
    await service.close();
  });

  const isHealthy = /^\s*127\.0\.0\.1:\d+\s*$/;
  const dialog = () => workbench.page.locator('.monaco-dialog-box');
  const deploys = () => service.requests.filter((request) => request.endsWith(deployPath)).length;

  it('is found in cli.yaml', async () => {
    const { page } = workbench;
    await openFile(page, 'sync.yaml');
    await page.locator('.part.editor .codelens-decoration', { hasText: 'Deploy' }).waitFor();
    await runCommand(page, 'Headwater: Select Target');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'cli.yaml' }).first().click();
    await untilStatus(workbench.page, /nothing deployed/);
  });

  it('is deployed to only after one question, which says what changes', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Deploy Sync Config');
    const text = await textOfPage(page);
    match(text, /Deploy to 127\.0\.0\.1:\d+\?.*lists: new/);
    // This service does not report the numbers of its rows.
    match(text, /Who gains all users of the stream.*Rows to copy unknown.*Time unknown/);
    equal(await defaultAnswer(page), 'Deploy');
    await takeScreenshot(page, 'foreign-1-question');
    await page.keyboard.press('Escape');
    await untilAnswered(page);
    equal(deploys(), 0);
  });

  it('is no longer asked about after a reload of the window, which leaves no empty group', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Deploy Sync Config');
    await untilAsked(page);
    await page.reload();
    await page.locator('.part.editor .tab[data-resource-name="sync.yaml"]').first().waitFor();
    await untilAnswered(page);
    await page.locator('.part.editor .editor-group-container.empty').waitFor({ state: 'detached' });
    await takeScreenshot(page, 'foreign-reloaded');
    equal(deploys(), 0);
  });

  it('is followed while it copies, until it serves', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Deploy Sync Config');
    equal(await defaultAnswer(page), 'Deploy');
    await page.keyboard.press('Enter');
    await untilStatus(workbench.page, /copying/);
    await takeScreenshot(page, 'foreign-2-copying');
    service.activate();
    await untilStatus(workbench.page, isHealthy);
    equal(deploys(), 1);
  });

  it('is shown by the console as far as its API tells, and what it does not tell is said', async () => {
    const { page } = workbench;
    await runCommand(page, 'Headwater: Open Console');
    const console = inConsole(page);
    await console.locator('[data-id="stream lists"]').waitFor();
    await console.getByText('This service is polled every few seconds.').waitFor();
    await takeScreenshot(page, 'foreign-2-console-map');
    const screens: readonly [string, string | RegExp][] = [
      ['Service', /^In sync$/],
      ['Slow and large', 'This service does not report this information.'],
      ['Data', 'Cannot read the rows of the database'],
      ['Devices', 'This service does not report who is connected. Enter any user.'],
    ];
    for (const [screen, sentence] of screens) {
      await console.locator('nav a', { hasText: screen }).click();
      await console.getByText(sentence).first().waitFor();
      await takeScreenshot(page, `foreign-2-console-${screen.replaceAll(' ', '-')}`);
    }
    await console.getByRole('button', { name: 'Any other user' }).click();
    await console.getByLabel('Id', { exact: true }).fill('ada');
    // There is no service config with a key.
    await console.getByText(/there is no key here to sign one/).waitFor();
    await console.getByText('by default').first().waitFor();
    await runCommand(page, 'View: Close All Editors');
    await openFile(page, 'sync.yaml');
  });

  it('is not green while its source cannot be reached', async () => {
    const { page } = workbench;
    service.state.sourceConnected = false;
    await untilStatus(workbench.page, /source not reachable/);
    await takeScreenshot(page, 'foreign-3-broken');
    service.state.sourceConnected = true;
    await untilStatus(workbench.page, isHealthy);
  });

  it('is not green when its progress is old, though it answers', async () => {
    service.state.lastKeepalive = new Date(Date.now() - 6 * 60_000).toISOString();
    await untilStatus(workbench.page, /no progress for 6 min/);
    service.state.lastKeepalive = new Date(Date.now() + 3600_000).toISOString();
    await untilStatus(workbench.page, isHealthy);
  });

  for (const [number, [what, answer, status, explanation]] of troubles.entries())
    it(`is not green when there is ${what} instead of an answer, and says so`, async () => {
      const { page } = workbench;
      service.instead(diagnostics, answer);
      await runCommand(page, 'Headwater: Check Health');
      await untilStatus(page, status);
      await untilExplained(page, explanation, `foreign-4-trouble-${number + 1}`);
      service.instead(diagnostics);
      await runCommand(page, 'Headwater: Check Health');
      await untilStatus(page, isHealthy);
    });

  it('can be waited for no longer, without a report of a failure', async () => {
    const { page } = workbench;
    service.instead('/api/admin/v1/schema', () => {});
    await runCommand(page, 'Headwater: Refresh Schema Snapshot');
    const wait = page.locator('.notification-toast', { hasText: 'Waiting for 127.0.0.1' });
    await wait.waitFor();
    await takeScreenshot(page, 'foreign-4-waiting');
    await wait.locator('.monaco-button', { hasText: 'Cancel' }).click();
    await wait.waitFor({ state: 'detached' });
    equal(await page.locator('.notification-toast', { hasText: /cancel|answer/i }).count(), 0);
    service.instead('/api/admin/v1/schema');
    await untilNews(page, /tables? known from 127\.0\.0\.1/, () =>
      runCommand(page, 'Headwater: Refresh Schema Snapshot'),
    );
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
    await takeScreenshot(page, 'foreign-5-validated');
  });

  it('is not said to lack a table because it reports a warning', async () => {
    const { page } = workbench;
    const toast = page.locator('.notification-toast', { hasText: /checks did not pass/ });
    const verdict = async (): Promise<string> => {
      // Notifications of earlier checks stay until they are cleared.
      await runCommand(page, 'Notifications: Clear All Notifications');
      await toast.first().waitFor({ state: 'detached' });
      await runCommand(page, 'Headwater: Check Health');
      const text = (await toast.first().textContent()) ?? '';
      return /\d+ of \d+ checks/.exec(text)?.[0] ?? text;
    };
    // The table does not exist, so that a check fails in any case.
    service.instead(validatePath, (_, response) => void response.end('{"data":{"errors":[]}}'));
    const before = await verdict();
    const errors = [{ level: 'warning', message: 'Everyone gets these rows.' }];
    service.instead(validatePath, (_, response) => void response.end(JSON.stringify({ data: { errors } })));
    equal(await verdict(), before);
    service.instead(validatePath);
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  it('has problems outside of the file, which are reported without a line', async () => {
    const { page } = workbench;
    const message = 'The source cannot be reached.';
    const answer = { data: { connections: [], errors: [{ level: 'fatal', message }] } };
    service.instead(validatePath, (_, response) => void response.end(JSON.stringify(answer)));
    await runCommand(page, 'Headwater: Validate on Service');
    await page.locator('.notification-toast', { hasText: message }).first().waitFor();
    await page.locator('.markers-panel').waitFor();
    equal(await page.locator('.markers-panel', { hasText: message }).count(), 0);
    await takeScreenshot(page, 'foreign-5-elsewhere');
    service.instead(validatePath);
    await runCommand(page, 'Notifications: Clear All Notifications');
  });

  it('is overwritten only after one has heard that others deployed', async () => {
    const { page } = workbench;
    deploy(service.state, 'streams: {}');
    service.activate();
    await runCommand(page, 'Headwater: Deploy Sync Config');
    const text = await textOfPage(page);
    match(text, /Someone else has deployed to this service/);
    // The page is next to the comparison of the texts, and a table that is missing blocks the deploy.
    await page.locator('.monaco-diff-editor').first().waitFor();
    match(text, /Who gains unknown: the service does not report it/);
    match(text, /Blocks this deploy There is no table lists_gone/);
    equal(await defaultAnswer(page), 'Cancel');
    await takeScreenshot(page, 'foreign-6-changed');
    await page.keyboard.press('Enter');
    await untilAnswered(page);
    equal(deploys(), 1);
  });

  it('is asked about only in a dialog if nothing is different', async () => {
    const { page } = workbench;
    deploy(
      service.state,
      `# the same\n${readFileSync(join(workbench.folder, 'sync.yaml'), 'utf8').replace('lists_gone', 'lists')}`,
    );
    service.activate();
    await runCommand(page, 'View: Close All Editors');
    await openFile(page, 'sync.yaml');
    await editorLines(page).filter({ hasText: 'lists_gone' }).first().click();
    await page.keyboard.press('End');
    for (const _ of '_gone') await page.keyboard.press('Backspace');
    await save(page);
    await runCommand(page, 'Headwater: Deploy Sync Config');
    await dialog().waitFor();
    match((await linesOf(dialog())).join(' '), /No streams are changed/);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    equal(deploys(), 1);
  });

  it('is asked about again if the file has changed since', async () => {
    const { page } = workbench;
    deploy(service.state, 'streams: {}');
    service.activate();
    await runCommand(page, 'Headwater: Deploy Sync Config');
    await untilAsked(page);
    writeFileSync(
      join(workbench.folder, 'sync.yaml'),
      readFileSync(join(workbench.folder, 'sync.yaml'), 'utf8').replace('  lists:', '  renamed:'),
    );
    await page.locator('.part.editor .view-line', { hasText: 'renamed:' }).first().waitFor();
    await (await untilAsked(page)).getByRole('button', { name: 'Overwrite' }).click();
    await inConsole(page).getByRole('heading', { name: 'renamed: new' }).waitFor();
    await answerPage(page, 'Cancel');
    equal(deploys(), 1);
  });

  it('is not sent a deploy twice whose answer was lost', async () => {
    const { page } = workbench;
    await runCommand(page, 'View: Close All Editors');
    await openFile(page, 'sync.yaml');
    service.instead(deployPath, async (request) => {
      deploy(service.state, await textOf(request));
      request.socket.destroy();
    });
    await runCommand(page, 'Headwater: Deploy Sync Config');
    await answerPage(page, 'Overwrite');
    await untilStatus(page, /copying/);
    equal(deploys(), 2);
    service.instead(deployPath);
  });

  it('is followed by the window that comes after one that was closed in the middle of a deploy', async () => {
    const { page } = workbench;
    await page.reload();
    await page.locator('.monaco-workbench .part.statusbar').waitFor();
    await untilStatus(page, /copying/);
    await takeScreenshot(page, 'foreign-7-reopened');
    service.activate();
    await untilStatus(page, isHealthy);
    // The group of the page may be restored without the page.
    await runCommand(page, 'View: Close All Editor Groups');
    await openFile(page, 'sync.yaml');
    await untilNews(page, /already has exactly this config/, () =>
      runCommand(page, 'Headwater: Deploy Sync Config'),
    );
    equal(deploys(), 2);
  });
});
