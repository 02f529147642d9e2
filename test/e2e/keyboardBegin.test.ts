import { match } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../scripts/rigs/temporary.ts';
import {
  choose,
  chooseFix,
  keepToKeyboard,
  typeCommand,
  untilTypedInto,
} from '../support/editor/keyboard.ts';
import { untilNews } from '../support/editor/news.ts';
import { showsLocal, untilGreen, untilStatus } from '../support/editor/statusBar.ts';
import {
  editorLines,
  keepFailures,
  linesOf,
  openWorkbench,
  save,
  takeScreenshot,
  untilNoProblems,
  type Workbench,
  warningSquiggles,
} from '../support/editor/workbench.ts';

const schema = `CREATE TABLE lists (id uuid PRIMARY KEY, owner_id text, name text);
CREATE TABLE todos (id uuid PRIMARY KEY, list_id uuid REFERENCES lists (id), done boolean);
`;

/** One session, without a pointer: each step starts where the one before has ended. */
describe('From tables to an app, by the keyboard', () => {
  let workbench: Workbench;

  before(async () => {
    const project = temporaryFolder('keyboard');
    writeFileSync(join(project, 'schema.sql'), schema);
    writeFileSync(join(project, 'package.json'), '{ "dependencies": { "@powersync/node": "1" } }\n');
    workbench = await openWorkbench(project);
  });

  keepFailures('keyboard-begin', () => workbench);
  keepToKeyboard(() => workbench);

  after(() => workbench?.close());

  it('begins in the palette', async () => {
    const { page } = workbench;
    await typeCommand(page, 'Headwater: Create Sync Config');
  });

  it('makes a sync config of the chosen tables, and shows whose rows they are', async () => {
    const { page } = workbench;
    const row = page.locator('.quick-input-list .monaco-list-row');
    await row.filter({ hasText: /lists.*each user gets the rows with their id in owner_id/ }).waitFor();
    await row.filter({ hasText: /todos.*the owner column is unknown/ }).waitFor();
    await takeScreenshot(page, 'keyboard-begin-2-tables');
    await page.keyboard.press('Enter');
    await page.locator('.tab.active[data-resource-name="sync.yaml"]').waitFor();
    await editorLines(page).filter({ hasText: 'WHERE owner_id = auth.user_id()' }).first().waitFor();
    await takeScreenshot(page, 'keyboard-begin-3-config');
  });

  it('shows a mistake where it is typed, and mends it by a quick fix', async () => {
    const { page } = workbench;
    await page.keyboard.press('Control+F');
    await untilTypedInto(page, '.find-widget.visible');
    await page.keyboard.type('owner_id');
    await page.keyboard.press('Enter');
    // The first match stays selected, so typing replaces it.
    await page.keyboard.press('Escape');
    await page.keyboard.type('ower_id');
    await editorLines(page).filter({ hasText: 'WHERE ower_id = auth.user_id()' }).first().waitFor();
    await warningSquiggles(page).first().waitFor({ state: 'attached' });
    // The list of completions covers nothing, but has the keys.
    await page.keyboard.press('Escape');
    await takeScreenshot(page, 'keyboard-begin-4-mistake');
    await chooseFix(page, 'Write owner_id');
    await editorLines(page).filter({ hasText: 'WHERE owner_id = auth.user_id()' }).first().waitFor();
    await untilNoProblems(page);
    await save(page);
  });

  it('deploys it by a key, and starts a service where none runs', async () => {
    const { page } = workbench;
    await page.locator('.editor-actions .action-label[aria-label^="Deploy Sync Config"]').waitFor();
    if (!(await showsLocal(page))) {
      await page.keyboard.press('Control+K');
      await page.keyboard.press('Control+Y');
      await choose(page, 'local');
      await choose(page, 'Start Local Service');
    }
    await untilStatus(
      page,
      /local: (starting|waiting|nothing deployed|copying)|local [\d,]+ rows|^\s*local\s*$/,
    );
    await untilGreen(page);
    await takeScreenshot(page, 'keyboard-begin-5-deployed');
  });

  it('writes the schema of its clients', async () => {
    const { page } = workbench;
    await typeCommand(page, 'Headwater: Generate Client Schema');
    await choose(page, 'TypeScript');
    await editorLines(page).filter({ hasText: '@powersync/node' }).first().waitFor();
    match(
      (await linesOf(editorLines(page))).join('\n'),
      /const lists = new Table\(\{\n\s*owner_id: column\.text,\n\s*name: column\.text,/,
    );
    await takeScreenshot(page, 'keyboard-begin-6-schema');
  });

  it('gives a token', async () => {
    const { page } = workbench;
    await typeCommand(page, 'Headwater: Create Client Token');
    await page.locator('.quick-input-title', { hasText: 'Create Client Token' }).waitFor();
    await page.keyboard.type('ada');
    await untilNews(page, /A token for ada was copied to the clipboard/, () => page.keyboard.press('Enter'));
  });
});
