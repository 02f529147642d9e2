/**
 * `npm run rules`: writes everything that is derived from the tables of codes, commands, tools and metrics: their pages, the entries of
 * package.json, and the strings to translate. A test checks that they are up to date. `-- --gallery` prints every message with its
 * example instead.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Code, codeGroups } from '../server/engine/diagnostics/diagnostics.ts';
import { serviceErrorCodes } from '../server/service/ground/errors.ts';
import { renderAccessPage } from './pages/accessPage.ts';
import { renderCliPage } from './pages/cliPage.ts';
import { renderDeviations } from './pages/deviationTable.ts';
import { renderDifferences } from './pages/differences.ts';
import { renderGallery } from './pages/gallery.ts';
import { renderManifest, renderManifestSentences } from './pages/manifest.ts';
import { renderMetricsPage } from './pages/metricsPage.ts';
import { renderRuleIndex } from './pages/ruleIndex.ts';
import { problemsInExamples, renderRulePage } from './pages/rulePage.ts';
import { rulePath } from './pages/ruleText.ts';
import { renderSentences } from './pages/sentences.ts';
import { renderErrorIndex, renderServicePage } from './pages/servicePage.ts';
import { root } from './root.ts';

const codes = [...codeGroups.values()].flat();

/** Returns the expected text of each generated file, by path. */
export function generatedTexts(): ReadonlyMap<string, string> {
  const rulePages = codes
    .filter((code) => existsSync(join(root, rulePath(code))))
    .map((code) => [rulePath(code), rulePageOf(code)] as const);
  return new Map([
    ['docs/RULES.md', renderRuleIndex()],
    ['docs/ERRORS.md', renderErrorIndex()],
    ['docs/CLI.md', renderCliPage()],
    ['docs/ACCESS.md', renderAccessPage(textOf('docs/ACCESS.md'))],
    ['docs/SERVICE.md', renderDeviations(renderDifferences(textOf('docs/SERVICE.md')))],
    ['docs/METRICS.md', renderMetricsPage(textOf('docs/METRICS.md'))],
    ...serviceErrorCodes.map((code) => [`docs/errors/${code}.md`, renderServicePage(code)] as const),
    ...rulePages,
    ['package.json', renderManifest(textOf('package.json'))],
    ['package.nls.json', renderManifestSentences(textOf('package.nls.json'))],
    ...renderSentences(rulePages.map(([, text]) => text)),
  ]);
}

/** Returns the page of a code. A page whose examples are wrong is left unchanged, because its generated part would be wrong. */
function rulePageOf(code: Code): string {
  return problemsInExamples(code).length > 0 ? textOf(rulePath(code)) : renderRulePage(code);
}

/** Lists the problems that must be corrected by hand before every page can be generated. */
function problemsInPages(): readonly string[] {
  return codes.flatMap((code) =>
    existsSync(join(root, rulePath(code))) ? problemsInExamples(code) : `${rulePath(code)} is missing.`,
  );
}

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n');
}

/** Writes each generated file, and returns the problems that must be corrected by hand first. */
export function writeGenerated(): readonly string[] {
  for (const [path, text] of generatedTexts()) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return problemsInPages();
}

if (import.meta.main) {
  if (process.argv.includes('--gallery')) process.stdout.write(renderGallery());
  else {
    const problems = writeGenerated();
    for (const problem of problems) console.error(problem);
    process.exitCode = problems.length > 0 ? 1 : 0;
  }
}
