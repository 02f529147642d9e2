import { deepEqual, equal, match } from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { yamlExtension } from '../../scripts/rigs/editors/yamlExtension.ts';
import {
  editorLines,
  errorSquiggles,
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

/** A user's own schema for files with our names. It allows only these keys. */
const schema = {
  type: 'object',
  properties: { config: {}, streams: {}, with: {} },
  additionalProperties: false,
};

/** The first line of the files that the official command line writes. */
const official =
  '# yaml-language-server: $schema=https://unpkg.com/@powersync/service-sync-rules@latest/schema/sync_rules.json\n';

/** Returns the path of the extension. Undefined if it cannot be had here. */
async function findExtension(age: 'current' | 'old'): Promise<string | undefined> {
  return yamlExtension(age).catch((error: unknown) => {
    console.log(`SKIPPED yaml-language-server: it could not be installed (${error}). Check npm's registry.`);
    return undefined;
  });
}

/** All steps share one session: each starts where the previous one has ended. */
describe('Together with the YAML extension', () => {
  let workbench: Workbench;

  before(async function () {
    const vsix = await findExtension('current');
    if (vsix === undefined) return this.skip();
    workbench = await openWorkbench(undefined, {
      beside: [vsix],
      settings: {
        'yaml.schemas': { './strict.json': 'sync*.yaml' },
        'editor.wordBasedSuggestions': 'off',
        '[yaml]': { 'editor.codeActionsOnSave': { 'source.formatQueries.headwater': 'explicit' } },
      },
    });
    const { folder } = workbench;
    // This file has one of our names, but the content of another program.
    rmSync(join(folder, 'powersync.yaml'));
    writeFileSync(join(folder, 'strict.json'), JSON.stringify(schema));
    const variable = 'replication:\n  connections:\n    - type: postgresql\n      uri: !env PG_URI\n';
    writeFileSync(join(folder, 'service.yaml'), variable);
  });

  keepFailures('yaml-extension', () => workbench);

  after(() => workbench?.close());

  const problems = () => workbench.page.locator('.markers-panel .monaco-list-row', { hasText: 'Ln ' });
  const workspaceSettings = () => join(workbench.folder, '.vscode/settings.json');

  it('a problem is reported twice until the user decides which extension checks the file', async () => {
    const { page } = workbench;
    await openFile(page, 'sync-config.yaml');
    await openProblems(page);
    await problems().nth(1).waitFor();
    equal(await problems().count(), 2);
    await takeScreenshot(page, 'yaml-extension-1-twice');
  });

  it('the language status offers to leave our files to Headwater', async () => {
    const { page } = workbench;
    await page.locator('#status\\.languageStatus').click();
    const offer = page.locator('.hover-language-status', { hasText: 'Also checked by the YAML extension' });
    await offer.waitFor();
    await takeScreenshot(page, 'yaml-extension-2-offer');
    await offer.locator('a', { hasText: 'Leave It to Headwater' }).click();
    await problems().nth(1).waitFor({ state: 'detached' });
    match((await linesOf(problems())).join(), /headwater.*unknown-key/);
  });

  it('the decision is stored in the settings of the workspace', () => {
    const settings = JSON.parse(readFileSync(workspaceSettings(), 'utf8'));
    deepEqual(settings['yaml.disableSchemaDetection'], [
      '**/{sync,powersync}*.{yaml,yml}',
      '**/powersync/*.{yaml,yml}',
      '**/*.sync-test.{yaml,yml}',
      'service.yaml',
    ]);
    deepEqual(settings['yaml.customTags'], ['!env scalar']);
  });

  it('a config that is created later is left to Headwater, too', async () => {
    const { page, folder } = workbench;
    writeFileSync(join(folder, 'sync-later.yaml'), 'config:\n  edition: 3\nstreams: {}\nother: 1\n');
    await openFile(page, 'sync-later.yaml');
    await page.locator('#status\\.languageStatus').click();
    await page.locator('.hover-language-status', { hasText: 'Checked by Headwater alone' }).waitFor();
    const later = problems().filter({ hasText: 'other' });
    await later.first().waitFor();
    equal(await later.count(), 1);
    await takeScreenshot(page, 'yaml-extension-2-later');
    await openFile(page, 'sync-config.yaml');
  });

  it('a key is completed only once', async () => {
    const { page } = workbench;
    await editorLines(page).last().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('wit');
    const proposals = page.locator('.suggest-widget.visible .monaco-list-row', { hasText: 'with' });
    await proposals.first().waitFor();
    await takeScreenshot(page, 'yaml-extension-3-completion');
    equal(await proposals.count(), 1);
    await page.keyboard.press('Escape');
  });

  it('invalid YAML is reported once', async () => {
    const { page } = workbench;
    await page.keyboard.press('Shift+Home');
    await page.keyboard.type('with: @x');
    await problems().filter({ hasText: 'Plain value cannot start' }).waitFor();
    await takeScreenshot(page, 'yaml-extension-4-syntax');
    equal(await problems().filter({ hasText: 'Ln 7' }).count(), 1);
  });

  it('environment variables are accepted', async () => {
    const { page } = workbench;
    await openFile(page, 'service.yaml');
    await problems().filter({ hasText: 'service-' }).first().waitFor();
    await takeScreenshot(page, 'yaml-extension-5-env');
    equal(await problems().filter({ hasText: 'Unresolved tag' }).count(), 0);
  });

  it('the status explains why the YAML extension checks a file with a comment that names a schema', async () => {
    const { page } = workbench;
    const modeline = '# yaml-language-server: $schema=./strict.json\n';
    writeFileSync(join(workbench.folder, 'powersync.yaml'), `${modeline}streams: {}\nother: 1\n`);
    await openFile(page, 'powersync.yaml');
    const double = problems().filter({ hasText: 'Property other is not allowed' });
    await double.waitFor();
    await page.locator('#status\\.languageStatus').click();
    const status = page.locator('.hover-language-status', { hasText: 'because a comment names a schema' });
    await status.waitFor();
    await takeScreenshot(page, 'yaml-extension-6-modeline');
    await status.locator('a', { hasText: 'Leave It to Headwater' }).click();
    await editorLines(page).filter({ hasText: '$schema=none' }).waitFor();
    await double.waitFor({ state: 'detached' });
    await page.locator('.hover-language-status', { hasText: 'Checked by Headwater alone' }).waitFor();
    await takeScreenshot(page, 'yaml-extension-7-none');
    await openFile(page, 'service.yaml');
  });

  it('the schema that the official command line names is left out, too', async () => {
    const { page } = workbench;
    writeFileSync(
      join(workbench.folder, 'powersync-official.yaml'),
      `${official}config:\n  edition: 3\nstreams: {}\n`,
    );
    await openFile(page, 'powersync-official.yaml');
    // The YAML extension reports that it cannot load the schema, because no test reaches that address.
    await errorSquiggles(page).first().waitFor({ state: 'attached' });
    await page.locator('#status\\.languageStatus').click();
    await page.locator('.hover-language-status a', { hasText: 'Leave It to Headwater' }).click();
    await errorSquiggles(page).first().waitFor({ state: 'detached' });
    await page.locator('.hover-language-status', { hasText: 'Checked by Headwater alone' }).waitFor();
    await takeScreenshot(page, 'yaml-extension-7-official');
    await openFile(page, 'service.yaml');
  });

  it('queries are formatted on save, although another extension formats YAML', async () => {
    const { page } = workbench;
    const head = 'config:\n  edition: 3\nstreams:\n  mine:\n    query: ';
    const path = join(workbench.folder, 'powersync-saved.yaml');
    writeFileSync(path, `${head}select  *  from boats where owner=auth.user_id()\n`);
    await openFile(page, 'powersync-saved.yaml');
    await editorLines(page).last().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('# end');
    await save(page);
    const saved = `${head}SELECT * FROM boats WHERE owner = auth.user_id()\n# end`;
    equal(readFileSync(path, 'utf8').trimEnd(), saved);
    await takeScreenshot(page, 'yaml-extension-8-formatted');
    await openFile(page, 'service.yaml');
  });

  it('the decision can be undone', async () => {
    const { page } = workbench;
    await page.locator('#status\\.languageStatus').click();
    const status = page.locator('.hover-language-status', { hasText: 'Checked by Headwater alone' });
    await status.locator('a', { hasText: 'Undo' }).click();
    await problems().filter({ hasText: 'Unresolved tag' }).first().waitFor();
    equal(existsSync(workspaceSettings()) && /yaml\./.test(readFileSync(workspaceSettings(), 'utf8')), false);
  });
});

describe('Together with a YAML extension that cannot leave files alone', () => {
  let workbench: Workbench;
  const text = `${official}config:\n  edition: 3\nstreams: {}\n`;

  before(async function () {
    const vsix = await findExtension('old');
    if (vsix === undefined) return this.skip();
    workbench = await openWorkbench(undefined, { beside: [vsix] });
    writeFileSync(join(workbench.folder, 'sync-old.yaml'), text);
  });

  keepFailures('old-yaml-extension', () => workbench);

  after(() => workbench?.close());

  it('the status says so, and the command changes neither the file nor the settings', async () => {
    const { page, folder } = workbench;
    await openFile(page, 'sync-old.yaml');
    await page.locator('#status\\.languageStatus').click();
    const status = page.locator('.hover-language-status', {
      hasText: 'which is too old to leave files alone',
    });
    await status.waitFor();
    equal(await status.locator('a', { hasText: 'Leave It to Headwater' }).count(), 0);
    await page.keyboard.press('Escape');
    await runCommand(page, 'Headwater: Quiet YAML Extension');
    await page.locator('.notification-toast', { hasText: 'This YAML extension is too old' }).waitFor();
    await takeScreenshot(page, 'old-yaml-extension-1-refusal');
    await editorLines(page).filter({ hasText: 'unpkg.com' }).waitFor();
    equal(readFileSync(join(folder, 'sync-old.yaml'), 'utf8'), text);
    equal(existsSync(join(folder, '.vscode/settings.json')), false);
  });
});
