/** What is large and seldom needed: bundles of their own, which have to be told the language of the editor, too. */
import { l10n } from 'vscode';

export async function loadOnDemand() {
  const parts = await import('./onDemand.ts');
  parts.translateWith(l10n.t);
  return parts;
}

export async function loadSeldom() {
  const commands = await import('./seldom.ts');
  commands.translateWith(l10n.t);
  return commands;
}
