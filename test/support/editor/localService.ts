/** The local service as a user gets to it, by hand. */
import type { Page } from 'playwright-core';
import { untilNews } from './news.ts';
import { untilStatus } from './statusBar.ts';
import { pick, runCommand } from './workbench.ts';

/** Resolves when it serves the sync config that is open. @param database as the list of choices calls it */
export async function startAndDeploy(page: Page, database: string): Promise<void> {
  await runCommand(page, 'Headwater: Start Local Service');
  await pick(page, database);
  await untilStatus(page, /local: nothing deployed/);
  await untilNews(page, /Deployed to local: \d+ streams? replicating/, () =>
    runCommand(page, 'Headwater: Deploy Sync Config'),
  );
  await untilStatus(page, /^\s*local\s*$/);
}
