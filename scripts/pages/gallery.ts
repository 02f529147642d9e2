/**
 * Every message of the engine at its mark, as `headwater validate` prints it, and every error of the service. It is read from top to
 * bottom to judge the wording; a message with other names or numbers is shown once.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Code,
  codeGroups,
  type Finding,
  messageOf,
  severityOf,
  titleOf,
} from '../../server/engine/diagnostics/diagnostics.ts';
import { type Analysis, analyze } from '../../server/engine/index.ts';
import { fixesOf } from '../../server/features/actions/quickFixes.ts';
import { entryOf, serviceErrorCodes } from '../../server/service/ground/errors.ts';
import { readFixture } from '../../test/support/engine/fixture.ts';
import { root } from '../root.ts';
import { errorTexts } from '../serviceErrors/index.ts';
import { analyzeExample, examplesOf, linesOf, shownFindings } from './rulePage.ts';
import { kindOf, readRule } from './ruleText.ts';

const fixtures = join(root, 'test/fixtures/rules');

export function renderGallery(): string {
  const pictures = picturesByCode();
  const groups = [...codeGroups].map(([title, codes]) => {
    const parts = codes.map((code) => {
      const head = `${code} (${severityOf(code)}): ${titleOf(code)}`;
      return [head, ...(pictures.get(code) ?? ['(no example)'])].join('\n\n');
    });
    return [`=== ${title}`, ...parts].join('\n\n');
  });
  const errors = serviceErrorCodes.map((code) => {
    const { when, todo } = errorTexts[code];
    return `${code}: ${entryOf(code).description}\n  When: ${when}\n  What to do: ${todo}`;
  });
  return `${[...groups, '=== Errors of the service', ...errors].join('\n\n')}\n`;
}

function picturesByCode(): ReadonlyMap<Code, readonly string[]> {
  const pictures = new Map<Code, string[]>();
  const shown = new Set<string>();
  for (const analysis of samples()) {
    for (const finding of analysis.findings) {
      const shape = shapeOf(finding);
      if (shown.has(shape)) continue;
      shown.add(shape);
      const { code } = finding;
      pictures.set(code, [...(pictures.get(code) ?? []), pictureOf(finding, analysis)]);
    }
  }
  return pictures;
}

/** The wrong examples of the pages, then the fixtures of the rules. */
function* samples(): Iterable<Analysis> {
  for (const code of [...codeGroups.values()].flat()) {
    const { wrong, source } = examplesOf(readRule(code));
    if (wrong !== undefined && kindOf(code) !== 'tests') yield analyzeExample(kindOf(code), wrong, source);
  }
  for (const name of readdirSync(fixtures)) {
    const { files, catalog } = readFixture(readFileSync(join(fixtures, name), 'utf8'));
    for (const { text } of files)
      yield analyze(text, { kind: 'sync', defaultSchema: 'public', ...(catalog && { catalog }) });
  }
}

/** Returns the message without its names and numbers. */
function shapeOf(finding: Finding): string {
  return `${finding.code} ${messageOf(finding).replaceAll(/`[^`]*`|"[^"]*"|\d+/g, '…')}`;
}

function pictureOf(finding: Finding, analysis: Analysis): string {
  const fixes = fixesOf(analysis, finding).map(({ title }) => `  fix: ${title}`);
  return [...linesOf(shownFindings([finding]), analysis, kindOf(finding.code)), ...fixes].join('\n');
}
