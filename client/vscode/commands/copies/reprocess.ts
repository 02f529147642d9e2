/** Copies everything from the source again, for the config that is active. */
import { l10n } from 'vscode';
import { reprocessOnce } from '../../../deploying/once.ts';
import type { Services } from '../../services.ts';
import { connectSelected } from '../target.ts';
import { confirmFor, pause, say, withProgress } from '../telling.ts';

export async function reprocessTarget(services: Services): Promise<void> {
  const { log, health } = services;
  await withProgress(log, l10n.t('Reprocessing'), async () => {
    const connected = await connectSelected(services);
    if (connected === undefined) return;
    const { target, api } = connected;
    const before = await api.diagnose();
    const details = l10n.t(
      'All tables are copied again. The old copy is served until then. Afterwards, clients download everything again.',
    );
    const answer = await confirmFor(
      target,
      l10n.t('Reprocess {0}?', target.name),
      details,
      l10n.t('Reprocess'),
    );
    if (answer !== 'yes') return;
    const slot = await reprocessOnce(api, before, { pause });
    say(log, l10n.t('{0} copies all tables again as {1}.', target.name, slot));
    await health.askNow();
  });
}
