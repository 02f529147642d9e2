/** The accessibility problems that axe-core finds on a screen, in each colour theme. */
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Returns a line for each problem at each place, for example `dark: color-contrast .hint`. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const theme of ['light', 'dark', 'contrast']) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    found.push(...(await barriersNow(page)).map((line) => `${theme}: ${line}`));
  }
  return found;
}

interface Axe {
  run(): Promise<{
    readonly violations: readonly {
      readonly id: string;
      readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
    }[];
  }>;
}

async function barriersNow(page: Page): Promise<readonly string[]> {
  const isThere = await page.evaluate(() => 'axe' in window);
  // The page's content security policy blocks other scripts, so this script is injected through the debugger.
  if (!isThere) await page.evaluate((await import('node:fs')).readFileSync(source, 'utf8'));
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: Axe }).axe.run();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary = '' }) => `${id} ${target.join(' ')} ${failureSummary.slice(0, 200)}`,
      ),
    );
  });
}
