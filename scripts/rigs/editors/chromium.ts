/** Finds Chromium, or installs it if no confirmation is necessary because the user is root on Debian or its relatives. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installWithApt } from '../apt.ts';

/** Chromium without windows, which starts with a third of the processor time. Not every system has it. */
const headless = 'chromium-headless-shell';

const names = [headless, 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

type Chromium =
  | { readonly kind: 'ready'; readonly path: string }
  | { readonly kind: 'missing'; readonly what: string; readonly fix: string };

export async function ensureChromium(env: NodeJS.ProcessEnv = process.env): Promise<Chromium> {
  if (env.CHROMIUM) {
    return existsSync(env.CHROMIUM)
      ? { kind: 'ready', path: env.CHROMIUM }
      : {
          kind: 'missing',
          what: `CHROMIUM names ${env.CHROMIUM}, which does not exist`,
          fix: 'Correct or unset it.',
        };
  }
  const path = findChromium(env);
  if (path !== undefined) return { kind: 'ready', path };
  const problem = (await installWithApt([headless], env)) && (await installWithApt(['chromium'], env));
  const installed = findChromium(env);
  if (installed !== undefined) return { kind: 'ready', path: installed };
  return {
    kind: 'missing',
    what: `Chromium is missing${problem === undefined ? '' : ` and could not be installed (${problem})`}`,
    fix: 'Install Chromium or Chrome, or set CHROMIUM to its path.',
  };
}

function findChromium(env: NodeJS.ProcessEnv): string | undefined {
  const folders = (env.PATH ?? '').split(delimiter);
  const candidates = [
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...applications,
  ];
  return candidates.find((candidate) => existsSync(candidate));
}
