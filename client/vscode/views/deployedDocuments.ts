/** Deployed configs as read-only documents, to read and to compare. */
import { type Disposable, l10n, Uri, workspace } from 'vscode';
import type { History } from '../../deploying/history.ts';
import { deployedScheme } from '../configs.ts';
import type { Target } from '../targets/target.ts';

/** @param at the time when the config was first seen, because the config of a slot may change */
export function deployedUri(target: Target, slot: string, at: number | undefined): Uri {
  const query = new URLSearchParams({ target: target.id, slot, at: String(at) }).toString();
  return Uri.from({
    scheme: deployedScheme,
    // The name of the tab must differ from the name of the file in the workspace.
    path: `/${slot}/${target.name.replaceAll('/', '·')} · sync.yaml`,
    query,
  });
}

export function provideDeployed(history: History): Disposable {
  return workspace.registerTextDocumentContentProvider(deployedScheme, {
    provideTextDocumentContent({ query }) {
      const named = new URLSearchParams(query);
      const [target = '', slot = '', at] = ['target', 'slot', 'at'].map((name) => named.get(name) ?? '');
      const content = history.contentOf(target, slot, Number(at)) ?? history.contentOf(target, slot);
      return content ?? l10n.t('# This is no longer kept in memory. Open it again.\n');
    },
  });
}
