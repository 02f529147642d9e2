/** What is large and seldom needed: a bundle of its own, which has to be told the language of the editor, too. */
import { l10n } from 'vscode';

export async function loadOnDemand() {
  const parts = await import('./onDemand.ts');
  parts.translateWith(l10n.t);
  return parts;
}
