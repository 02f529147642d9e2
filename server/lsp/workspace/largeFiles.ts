/** Prepares completion for very large files, because computing the first list would take seconds. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Analysis } from '../../engine/index.ts';
import { findNames } from '../../features/reading/mentions.ts';
import type { Host } from '../host/host.ts';
import { inSlices } from '../host/slices.ts';

/** The minimum number of lines. For smaller files, the delay is not noticeable. */
const large = 20_000;

/** Called after each change of a document. */
export function lookAhead(
  { clock }: Pick<Host, 'clock'>,
  analysisOf: (document: TextDocument) => Analysis,
): (document: TextDocument) => Promise<void> {
  return async (document) => {
    if (document.lineCount < large) return;
    const { version } = document;
    const isLatest = () => document.version === version;
    await clock.rest();
    if (isLatest()) await inSlices(findNames(analysisOf(document)), clock, isLatest);
  };
}
