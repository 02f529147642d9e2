/** Documents with the rows that a user gets, to read and to search. */
import { l10n, Uri, window, workspace } from 'vscode';
import { type Preview, previewText } from '../../preview/previewText.ts';
import { previewScheme } from './answers.ts';
import { remember } from './remembered.ts';

const shown = remember<Preview>();

export async function showPreview(preview: Preview): Promise<void> {
  const { user, target, at } = preview;
  const uri = Uri.from({
    scheme: previewScheme,
    path: `/${user.replaceAll('/', '·')} · ${target}`,
    query: at,
  });
  shown.put(uri, preview);
  await window.showTextDocument(await workspace.openTextDocument(uri), { preview: true });
}

export function previewedText(uri: Uri): string {
  const preview = shown.get(uri);
  return preview === undefined
    ? l10n.t('This is not remembered any more: look again.\n')
    : previewText(preview);
}
