/** A row from its commit to the pixel: in the console, on a page that shows the raw stream, and at a program that counts. */
import type { Page } from 'playwright-core';
import { percentile } from '../measure.ts';
import { openStream, pause } from '../stage.ts';
import { type ConsoleRig, openBarePage, openConsole, showRawStream, viewer } from './rig.ts';

const rowCount = 60;

export interface Latencies {
  readonly device: readonly number[];
  readonly data: readonly number[];
  readonly bare: readonly number[];
  readonly program: readonly number[];
}

/** One after the other, each seen by all before the next one is written. */
export async function measureLatencies({ browser, stage }: ConsoleRig): Promise<Latencies> {
  const { service, query } = stage;
  const open = [await openConsole(browser, service, `devices?user=${viewer}`)];
  const [device] = open;
  await device?.page.locator('[data-device="live"]').waitFor();
  const data = await openConsole(browser, service, 'data?table=items');
  await data.page.locator('[role="gridcell"]').first().waitFor();
  await data.page.getByRole('columnheader', { name: 'created_at' }).click();
  await data.page.getByRole('columnheader', { name: 'created_at' }).click();
  const bare = await openBarePage(browser, service);
  await showRawStream(bare.page, viewer);
  const program = await openStream(service, viewer);
  await program.completed();
  const eyes = {
    device: await watchTexts(device?.page as Page),
    data: await watchTexts(data.page),
    bare: await watchTexts(bare.page),
  };
  const times = {
    device: [] as number[],
    data: [] as number[],
    bare: [] as number[],
    program: [] as number[],
  };
  for (let n = 0; n < rowCount; n += 1) {
    const text = `seen as number ${n} of all`;
    const seen = { device: eyes.device(text), data: eyes.data(text), bare: eyes.bare(text) };
    const arrived = program.saw(text).then(() => Date.now());
    const start = Date.now();
    // Its execution counts, too: nobody outside sees the moment of its commit.
    await query(`INSERT INTO items (owner_id, title) VALUES ('${viewer}', '${text}')`);
    times.program.push((await arrived) - start);
    times.device.push((await seen.device) - start);
    times.bare.push((await seen.bare) - start);
    times.data.push((await seen.data) - start);
    // At any moment of a frame and of a second.
    await pause(37 + ((n * 61) % 211));
  }
  program.close();
  for (const { close } of [...open, data, bare]) await close();
  return times;
}

export function row(
  what: string,
  times: readonly number[],
  limit: string,
  physical?: readonly number[],
): string[] {
  const [p50, p95] = [percentile(times, 50), percentile(times, 95)];
  const beside = physical === undefined ? '' : `${(p50 / percentile(physical, 50)).toFixed(1)} ×`;
  return [what, `${p50} ms`, `${p95} ms`, limit, beside];
}

/** The time, by the clock of this machine, at which a text was painted. */
async function watchTexts(page: Page): Promise<(text: string) => Promise<number>> {
  const waiting = new Map<string, (at: number) => void>();
  await page.exposeBinding('reportPainted', (_, text: string, at: number) => waiting.get(text)?.(at));
  await page.evaluate(() => {
    const pattern = /seen as number \d+ of all/g;
    const known = new Set<string>();
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        const parts = [target.nodeType === Node.TEXT_NODE ? target : undefined, ...addedNodes];
        for (const text of parts.flatMap((part) => part?.textContent?.match(pattern) ?? [])) {
          if (known.has(text)) continue;
          known.add(text);
          window.frameWatch.afterPaint(() => {
            const report = (window as unknown as { reportPainted: (text: string, at: number) => void })
              .reportPainted;
            report(text, Date.now());
          });
        }
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  return (text) =>
    new Promise((resolve) => {
      waiting.set(text, resolve);
    });
}
