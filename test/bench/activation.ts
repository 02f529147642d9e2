/** How long VS Code itself says that the packaged extension takes to activate, each time in a new extension host. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser, openPage } from '../../scripts/rigs/browser.ts';
import { startCodeServer } from '../../scripts/rigs/editors/codeServer.ts';
import { temporaryFolder } from '../../scripts/rigs/temporary.ts';
import { linesOf, needPackage, needTools, openFile, runCommand } from '../support/editor/workbench.ts';
import { median, printTable } from './measure.ts';

const windows = 10;

export async function bench(): Promise<void> {
  const tools = await needTools();
  const server = await startCodeServer(tools, { purpose: 'user-interface', vsix: [needPackage()] });
  const browser = await launchBrowser(tools.chromium);
  const times: number[] = [];
  try {
    for (let number = 0; number < windows; number += 1) times.push(await activateOnce(browser, server.host));
  } finally {
    await browser.close();
    await server.stop();
  }
  printTable(
    `Activation of the packaged extension, as VS Code counts it (${windows} windows)`,
    ['what', 'ours', 'target'],
    [
      ['load and activate, median', `${median(times)} ms`, '< 50 ms'],
      ['of', times.toSorted((a, b) => a - b).join(', '), ''],
    ],
  );
}

/** Milliseconds. */
async function activateOnce(browser: Browser, host: string): Promise<number> {
  const folder = temporaryFolder('activation');
  writeFileSync(join(folder, 'sync.yaml'), 'streams: {}\n');
  const page = await openPage(browser);
  try {
    const query = new URLSearchParams({ folder, payload: JSON.stringify([['skipWelcome', 'true']]) });
    await page.goto(`http://${host}/?${query}`);
    await openFile(page, 'sync.yaml');
    await page.locator('.part.editor .codelens-decoration').first().waitFor();
    await runCommand(page, 'Developer: Show Running Extensions');
    const row = page.locator('.runtime-extensions-editor .extension', { hasText: 'Headwater' });
    const [told = ''] = await linesOf(row.locator('.activation-time'));
    const [, time] = /(\d+)ms/.exec(told) ?? [];
    if (time === undefined) throw new Error(`VS Code says of the activation: ${told}`);
    return Number(time);
  } finally {
    await page.context().close();
  }
}
