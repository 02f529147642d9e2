/** The question before a deploy. It is a separate bundle, so it also needs the language of the editor. */
import { l10n } from 'vscode';
import type { ReviewResult } from '../../../server/protocol.ts';
import { wordsOfComparison } from '../../deploying/cloudWords.ts';
import type { Question } from '../../deploying/flow.ts';
import { type DeployPage, pageLines, pageOf } from '../../deploying/page.ts';
import { fetchedName } from '../../project/cloud.ts';
import type { Target } from '../targets/target.ts';
import { askOnPage } from '../views/deployPage.ts';
import { chooseButton } from './telling.ts';

export { translateWith } from '../../l10n.ts';
export { revealDeployPage } from '../views/deployPage.ts';

interface Asking {
  readonly target: Target;
  /** Shows the comparison of the texts. */
  readonly compare: () => Promise<void>;
  /** Aborted if the user cancels the deploy elsewhere. */
  readonly signal: AbortSignal;
}

/** Asks on a page next to the comparison of the texts, or in a dialog if nothing is different. */
export async function askBeforeDeploy(
  question: Question,
  { target, compare, signal }: Asking,
): Promise<boolean> {
  const page = pageOf(question);
  const yes = question.changedElsewhere ? l10n.t('Overwrite') : l10n.t('Deploy');
  const title = l10n.t('Deploy to {0}?', target.name);
  const about = target.url ?? '';
  if (!page.hasDifferences)
    return (await chooseButton(title, [about, '', ...pageLines(page)].join('\n'), [yes])) === yes;
  if (question.hasDeployed) await compare();
  return askOnPage({ title, about, page, yes }, signal);
}

/** @param before the config that PowerSync's command line has fetched */
export async function askBeforeCloud(
  instance: string,
  review: ReviewResult | undefined,
  before: string | undefined,
): Promise<boolean> {
  const page = cloudPage(review, before);
  const title = l10n.t('Deploy to PowerSync Cloud?');
  return askOnPage({ title, about: l10n.t('Instance {0}', instance), page, yes: l10n.t('Deploy') });
}

/** @param before the fetched config */
function cloudPage(review: ReviewResult | undefined, before: string | undefined): DeployPage {
  // A review has no access comparison if one of the configs has errors. The file in the editor has none at this point.
  const isBroken = review !== undefined && review.access === undefined;
  const comparison = before === undefined ? 'none' : isBroken ? 'broken' : 'made';
  const words = wordsOfComparison(fetchedName, comparison);
  const source = { missing: undefined, warnings: [] };
  const facts = {
    source,
    changedElsewhere: false,
    replacesPending: false,
    hasDeployed: comparison === 'made',
  };
  const page = pageOf({ review, ...facts });
  // Every stream would seem to be new if there was no comparison.
  const sections = review !== undefined && comparison !== 'made' ? page.sections.slice(-1) : page.sections;
  return { ...page, notes: [words, ...page.notes], sections };
}
