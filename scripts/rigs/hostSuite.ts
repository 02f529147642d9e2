/**
 * Runs the suite of `test/integration` inside an extension host that a page controls. VS Code calls two functions of the page: one
 * for every entry in the host's console, and one when the suite has ended.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { patient } from '../run/patience.ts';
import { ofRunner, type Tally } from '../run/tally.ts';
import { openPage } from './browser.ts';
import { artifacts } from './rig.ts';

/** The suite is ended if nothing is logged for this time. */
const silenceMs = patient(120_000);

export async function runSuite(browser: Browser, url: string, rig: string): Promise<Tally> {
  const page = await openPage(browser);
  const entries: string[] = [];
  try {
    const { code, why } = await untilEnd(page, url, (entry) => entries.push(entry));
    const { printed, tally } = readConsole(entries, code);
    for (const entry of printed) console.log(entry);
    if (tally.failed > 0) {
      writeFileSync(join(artifacts, `${rig}-console.log`), entries.join('\n'));
      await page.screenshot({ path: join(artifacts, `${rig}-suite.png`) }).catch(() => undefined);
      console.log(`${why} See artifacts/${rig}-console.log and artifacts/${rig}-suite.png.`);
    }
    return tally;
  } finally {
    await page.context().close();
  }
}

interface End {
  readonly code: number;
  readonly why: string;
}

async function untilEnd(page: Page, url: string, onEntry: (entry: string) => void): Promise<End> {
  let end: (end: End) => void = () => {};
  const ended = new Promise<End>((resolve) => {
    end = resolve;
  });
  const silence = setTimeout(
    () => end({ code: 1, why: `The suite logged nothing for ${silenceMs / 1000} s.` }),
    silenceMs,
  );
  await page.exposeFunction('codeAutomationLog', (_type: string, args: readonly unknown[]) => {
    silence.refresh();
    onEntry(args.map(String).join(' '));
  });
  await page.exposeFunction('codeAutomationExit', (code: number) =>
    end({ code, why: `The suite ended with code ${code}.` }),
  );
  page.once('crash', () => end({ code: 1, why: 'The page crashed.' }));
  await page.goto(url);
  await ended.finally(() => clearTimeout(silence));
  return ended;
}

/** Returns the output of the suite's reporter. Other console entries are VS Code's own output. */
export function readConsole(entries: readonly string[], code: number): { printed: string[]; tally: Tally } {
  const tally = entries.findLast((entry) => /^\d+ passed, \d+ failed/.test(entry)) ?? '';
  const printed = entries.filter((entry) => /^ {2}[✔✖–] /.test(entry));
  return { printed, tally: ofRunner(tally, code) };
}
