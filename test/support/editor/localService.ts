/** Starts the local service with commands and choices, as a user does. */
import type { Page } from 'playwright-core';
import { untilNews } from './news.ts';
import { untilStatus } from './statusBar.ts';
import { pick, runCommand } from './workbench.ts';

/** Resolves when the local service serves the open sync config. @param database the label in the list of choices */
export async function startAndDeploy(page: Page, database: string): Promise<void> {
  await runCommand(page, 'Headwater: Start Local Service');
  await pick(page, database);
  await untilStatus(page, /local: nothing deployed/);
  await untilNews(page, /Deployed to local: \d+ streams? replicating/, () =>
    runCommand(page, 'Headwater: Deploy Sync Config'),
  );
  await untilStatus(page, /^\s*local\s*$/);
}
