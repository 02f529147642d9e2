/** The public pages, with the steps that each asks its reader to do. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/root.ts';
import { type Step, stepsOf } from './steps.ts';

/** The paths of all pages that users and contributors read, sorted. */
export const publicPages: readonly string[] = globSync(
  ['*.md', '{docs,examples,walkthrough,.github}/**/*.md'],
  {
    cwd: root,
    exclude: ['**/node_modules/**'],
  },
).sort();

export function pageText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** The commands of pages that no test runs, each with the reason. */
export const notRun: readonly (readonly [command: RegExp, reason: string])[] = [
  [/^npm (start|test)\b/, 'runs these very tests, or opens windows'],
  [/^npm run package\b/, 'was done before these tests: its result is what they run'],
  [/^npm link\b/, 'changes the machine; the command is there'],
  [/^code /, 'needs a desktop'],
];

/** Returns the reason why no test runs a command. */
export function reasonAgainst(command: string): string | undefined {
  return notRun.find(([pattern]) => pattern.test(command))?.[1];
}

/** Matches commands that run until Ctrl-C. Their page shows what they print, because their start is not known otherwise. */
export const keepsRunning =
  /^headwater (dev|serve)\b|service\.js start\b|node (--env-file=\.env )?(app|client|backend)\.mjs\b|npx vite(?! build)/;

export interface PageWithSteps {
  readonly path: string;
  readonly steps: readonly Step[];
}

/** Returns every page that has steps. Each example continues the page about all examples, so that page is not one of its own. */
export function pagesWithSteps(): readonly PageWithSteps[] {
  return publicPages
    .filter((path) => path !== 'examples/README.md')
    .map((path) => ({ path, own: stepsOf(pageText(path)) }))
    .filter(({ path, own }) => own.length > 0 && !isRulePage(path))
    .map(({ path, own }) => ({ path, steps: [...stepsBefore(path), ...own] }));
}

/** The tests of the rules run the examples of these pages, with their tables. */
function isRulePage(path: string): boolean {
  return path.startsWith('docs/rules/');
}

/** Creates a user's package, with the file that `npm run package` has made. */
const inPackage = 'mkdir app && cd app && echo "{}" > package.json && cp ../headwater-cli-*.tgz .';

/** Returns the steps that come before a page. */
function stepsBefore(path: string): readonly Step[] {
  if (path === 'docs/CI.md') return [{ kind: 'command', command: inPackage }];
  // Its reader has prepared a database of their own.
  if (path === 'docs/ADMIN.md')
    return stepsOf(pageText('docs/PRODUCTION.md')).filter(({ kind }) => kind === 'sql');
  const folder = /^examples\/[^/]+(?=\/)/.exec(path)?.[0];
  if (folder === undefined) return [];
  return [{ kind: 'command', command: `cd ${folder}` }, ...stepsOf(pageText('examples/README.md'))];
}
