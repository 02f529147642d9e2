import { match } from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../scripts/rigs/temporary.ts';
import {
  choose,
  chooseFix,
  chooseRow,
  goTo,
  keepToKeyboard,
  openByName,
  typeCommand,
  untilTypedInto,
} from '../../support/editor/keyboard.ts';
import { shareWorkbench } from '../../support/editor/sharedWorkbench.ts';
import {
  comes,
  editorLines,
  openProblems,
  save,
  takeScreenshot,
  untilNoProblems,
  warningSquiggles,
} from '../../support/editor/workbench.ts';

const schema = 'CREATE TABLE todos (id uuid PRIMARY KEY, owner_id text, done boolean);\n';
const config = `config:
  edition: 3
streams:
  todos:
    query: select * from todoss where owner_id = auth.user_id()
`;
const tests = `config: sync.yaml
users:
  ada: { id: u1 }
  eve: { id: u2 }
rows:
  todos:
    - { id: t1, owner_id: u1 }
tests:
  - name: a todo is for its owner
    subscribe: [todos]
    expect:
      ada: { todos: [t1] }
  - name: nobody else gets it
    subscribe: [todos]
    expect:
      eve: nothing
`;

const settings = {
  'testing.automaticallyOpenTestResults': 'neverOpen',
  'headwater.codeLens.references': true,
};

/** One session, without a pointer: each step starts where the one before has ended. */
describe('A config with a mistake, by the keyboard', () => {
  const workbench = shareWorkbench('keyboard-language', {
    from: () => {
      const project = temporaryFolder('keyboard-language');
      writeFileSync(join(project, 'schema.sql'), schema);
      writeFileSync(join(project, 'sync.yaml'), config);
      writeFileSync(join(project, 'sync.sync-test.yaml'), tests);
      mkdirSync(join(project, '.vscode'));
      writeFileSync(join(project, '.vscode/settings.json'), JSON.stringify(settings));
      return project;
    },
  });
  const takePointer = keepToKeyboard(workbench);

  const lineWith = (text: string | RegExp) => editorLines(workbench().page).filter({ hasText: text }).first();
  const readConfig = () => readFileSync(join(workbench().folder, 'sync.yaml'), 'utf8');

  /** The list of places opens, and is closed. */
  const untilPlaces = async () => {
    const { page } = workbench();
    const places = page.locator('.reference-zone-widget');
    await places.filter({ hasText: 'sync.sync-test.yaml' }).waitFor();
    await takeScreenshot(page, 'keyboard-language-3-references');
    await page.keyboard.press('Escape');
    await places.waitFor({ state: 'detached' });
  };

  /** Opens the list of the lenses above the line again, until it has this one: it lacks those that the editor is asking for. */
  const untilListed = async (lens: string) => {
    const { page } = workbench();
    const row = page.locator('.quick-input-list .monaco-list-row', { hasText: lens });
    for (;;) {
      await typeCommand(page, 'Show CodeLens Commands for Current Line');
      if (await comes(row.first())) return;
      await page.keyboard.press('Escape');
    }
  };

  it('is opened, and its problem leads to its place', async () => {
    const { page } = workbench();
    await openByName(page, 'sync.yaml');
    // An empty list of problems takes no keys.
    await warningSquiggles(page).first().waitFor({ state: 'attached' });
    const problems = await openProblems(page);
    await chooseRow(page, problems, 'No file of this project creates a table');
    await takeScreenshot(page, 'keyboard-language-1-problem');
    await page.keyboard.press('Enter');
    await page.locator('.statusbar-item', { hasText: 'Ln 5, Col 32 (6 selected)' }).waitFor();
  });

  it('is mended by the quick fix that the problem has', async () => {
    const { page } = workbench();
    await chooseFix(page, 'Write todos');
    await lineWith('from todos where').waitFor();
    await untilNoProblems(page);
    await save(page);
  });

  it('has the cursor where a stream belongs, behind a key and Enter', async () => {
    const { page } = workbench();
    await goTo(page, 3, 9);
    await page.keyboard.press('Enter');
    await page.locator('.statusbar-item', { hasText: 'Ln 4, Col 3' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Z');
    await lineWith('streams:').waitFor();
    await page.locator('.tab.active:not(.dirty)').waitFor();
  });

  it('has a stream that is renamed, in the access tests, too', async () => {
    const { page } = workbench();
    await goTo(page, 4, 4);
    await page.keyboard.press('F2');
    await untilTypedInto(page, '.rename-box');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('own_todos');
    await page.keyboard.press('Enter');
    await lineWith('own_todos:').waitFor();
    await takeScreenshot(page, 'keyboard-language-2-renamed');
  });

  it('is formatted', async () => {
    const { page } = workbench();
    await typeCommand(page, 'Format Document');
    // A string would also be found in lower case, before the document is formatted. Editors show spaces that do not break.
    await lineWith(/FROM\stodos\sWHERE/).waitFor();
    await typeCommand(page, 'File: Save All Files');
    await page.locator('.tab.active:not(.dirty)').waitFor();
    match(readConfig(), /own_todos:\n {4}query: SELECT \* FROM todos WHERE owner_id = auth\.user_id\(\)\n/);
  });

  it('shows where the stream is used, which is in the access tests', async () => {
    const { page } = workbench();
    await goTo(page, 4, 4);
    await page.keyboard.press('Shift+F12');
    await untilPlaces();
  });

  it('says above the stream how often that is, and leads there', async () => {
    const { page } = workbench();
    await page.locator('.part.editor .codelens-decoration', { hasText: '2 references' }).waitFor();
    await takeScreenshot(page, 'keyboard-language-4-lens');
    await untilListed('2 references');
    await choose(page, '2 references');
    await untilPlaces();
  });

  it('passes its access tests', async () => {
    const { page } = workbench();
    await typeCommand(page, 'Headwater: Run Access Tests');
    await typeCommand(page, 'Testing: Focus on Test Explorer View');
    const passed = page
      .locator('[role="tree"][aria-label="Test Explorer"] [role="treeitem"]')
      .filter({ hasText: 'sync.sync-test.yaml' })
      .filter({ has: page.locator('.computed-state.codicon-testing-passed-icon') });
    await passed.first().waitFor();
    await takeScreenshot(page, 'keyboard-language-5-passed');
  });

  it('would not have passed here if a pointer had helped', async () => {
    const { page } = workbench();
    await page.mouse.move(300, 300);
    await page.evaluate(() => document.body.click());
    const missing = new Set(['mousemove', 'click']);
    while (missing.size > 0) {
      for (const what of takePointer()) missing.delete(what.split(' ')[0] ?? '');
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(undefined))));
    }
  });
});
