/** A project that is linked to PowerSync Cloud. Signing in needs an account, so a script has the place of PowerSync's command line. */
import { deepEqual, match } from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../scripts/rigs/temporary.ts';
import { answerPage, textOfPage } from '../../support/editor/deployPage.ts';
import { untilNews } from '../../support/editor/news.ts';
import { shareWorkbench } from '../../support/editor/sharedWorkbench.ts';
import { openFile, runCommand, takeScreenshot } from '../../support/editor/workbench.ts';

const own = `config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT * FROM lists
`;
const fetched = own.replace('FROM lists', 'FROM lists WHERE owner_id = auth.user_id()');

/** Writes its arguments into a file. */
const script =
  '#!/bin/sh\nfor word in "$@"; do echo "$word" >> sent.txt; done\necho "Deployed by the script."\n';

describe('A project of PowerSync Cloud, in the workbench', () => {
  const workbench = shareWorkbench('cloud', {
    from: () => {
      const folder = temporaryFolder('cloud');
      mkdirSync(join(folder, 'powersync'));
      mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
      const files = {
        'powersync/cli.yaml': 'type: cloud\ninstance_id: 65f0c0ffee\n',
        'powersync/sync-config.yaml': own,
        'powersync/sync-fetched.yaml': fetched,
        'schema.sql': 'CREATE TABLE lists (id uuid PRIMARY KEY, owner_id text NOT NULL);\n',
        'node_modules/.bin/powersync': script,
      };
      for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
      chmodSync(join(folder, 'node_modules/.bin/powersync'), 0o755);
      return folder;
    },
  });

  const ask = async () => {
    const { page } = workbench();
    await runCommand(page, 'Headwater: Deploy Sync Config');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'PowerSync Cloud' }).click();
  };

  it('is reviewed against the config that was fetched, before anything runs', async () => {
    const { page, folder } = workbench();
    await openFile(page, 'powersync/sync-config.yaml');
    await ask();
    const text = await textOfPage(page);
    await takeScreenshot(page, 'cloud-1-question');
    match(text, /Deploy to PowerSync Cloud\?/);
    match(text, /65f0c0ffee/);
    match(text, /Compared with sync-fetched\.yaml/);
    match(text, /For example: Anybody gets lists/);
    await answerPage(page, 'Cancel');
    deepEqual(existsSync(join(folder, 'sent.txt')), false);
  });

  it("is deployed by PowerSync's command line, in a terminal", async () => {
    const { page, folder } = workbench();
    await ask();
    await untilNews(page, /has deployed it/, () => answerPage(page, 'Deploy'));
    await takeScreenshot(page, 'cloud-2-terminal');
    deepEqual(readFileSync(join(folder, 'sent.txt'), 'utf8').trim().split('\n'), [
      'deploy',
      'sync-config',
      '--directory',
      'powersync',
      '--sync-config-file-path',
      'powersync/sync-config.yaml',
    ]);
  });

  it('says how to install it, where it is missing', async () => {
    const { page, folder } = workbench();
    rmSync(join(folder, 'node_modules/.bin/powersync'), { force: true });
    await ask();
    const notification = page.locator('.notification-toast', { hasText: 'npm install --save-dev powersync' });
    await notification.waitFor();
    await takeScreenshot(page, 'cloud-3-missing');
  });
});
