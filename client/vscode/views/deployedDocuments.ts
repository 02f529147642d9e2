/** Deployed configs as read-only documents, to read and to compare. */
import { type Disposable, l10n, Uri, workspace } from 'vscode';
import { nameOfConfig } from '../../api/deployedConfig.ts';
import type { History, SeenConfig } from '../../deploying/history.ts';
import { deployedScheme } from '../configs.ts';
import type { Target } from '../targets/target.ts';

/** A config in the history. The time is when it was first seen, because a config without a number is not the only one of its slot. */
type ShownConfig = Pick<SeenConfig, 'slot' | 'configNumber'> & Partial<Pick<SeenConfig, 'seenAt'>>;

export function deployedUri(target: Target, config: ShownConfig): Uri {
  const { slot, configNumber, seenAt } = config;
  const query = new URLSearchParams({
    target: target.id,
    slot,
    ...(configNumber !== undefined && { number: String(configNumber) }),
    ...(seenAt !== undefined && { at: String(seenAt) }),
  }).toString();
  return Uri.from({
    scheme: deployedScheme,
    // The name of the tab must differ from the name of the file in the workspace.
    path: `/${target.name.replaceAll('/', '·')} · ${nameOfConfig(config)} · sync.yaml`,
    query,
  });
}

export function provideDeployed(history: History): Disposable {
  return workspace.registerTextDocumentContentProvider(deployedScheme, {
    provideTextDocumentContent({ query }) {
      const { target = '', slot = '', number, at } = Object.fromEntries(new URLSearchParams(query));
      const config = { slot, ...(number !== undefined && { configNumber: Number(number) }) };
      const seen =
        at === undefined ? undefined : history.contentOf(target, { ...config, seenAt: Number(at) });
      return (
        seen ??
        history.contentOf(target, config) ??
        l10n.t('# This is no longer kept in memory. Open it again.\n')
      );
    },
  });
}
