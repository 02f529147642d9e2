/** Loads large code that is seldom needed. It is a separate bundle, so it also needs the language of the editor. */
import { l10n } from 'vscode';

export async function loadOnDemand() {
  const parts = await import('./onDemand.ts');
  parts.translateWith(l10n.t);
  return parts;
}

export async function loadDeployQuestion() {
  const parts = await import('./commands/askDeploy.ts');
  parts.translateWith(l10n.t);
  return parts;
}
