/** How long the first picture takes: from the start of the navigation until the console shows a running service. */
import { type ConsoleRig, openBarePage, openConsole } from './rig.ts';

const rounds = 12;

export interface Openings {
  readonly console: readonly number[];
  readonly bare: readonly number[];
}

/** In turns, in the same browser, which has both in its cache, or neither. */
export async function measureOpenings({ browser, stage }: ConsoleRig): Promise<Openings> {
  const console = await openConsole(browser, stage.service, 'service');
  const bare = await openBarePage(browser, stage.service);
  await console.page.addInitScript(watchFor, '[data-link="connected"]');
  await bare.page.addInitScript(watchFor, 'body');
  const times = { console: [] as number[], bare: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, { page }] of [
      ['console', console],
      ['bare', bare],
    ] as const) {
      await page.reload();
      const shown = await page.waitForFunction(() => (window as { shownAfter?: number }).shownAfter);
      times[name].push(Number(await shown.jsonValue()));
    }
  }
  await console.close();
  await bare.close();
  return times;
}

/** Runs in pages: notes how long after the start of the navigation something was painted. */
function watchFor(selector: string): void {
  const look = (): void => {
    if (document.querySelector(selector) === null) return;
    observer.disconnect();
    window.frameWatch.afterPaint(() => {
      (window as { shownAfter?: number }).shownAfter = Math.round(performance.now());
    });
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { subtree: true, childList: true, attributes: true });
  look();
}
