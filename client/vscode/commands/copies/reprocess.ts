/** Copies rows of the active config from the source again: all rows, or the rows of one stream. */
import { l10n, type QuickPickItem, window } from 'vscode';
import type { Api } from '../../../api/api.ts';
import { nameOfConfig } from '../../../api/deployedConfig.ts';
import { readOfferedStreams, streamsPath } from '../../../api/explained.ts';
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
    if (!answer) return;
    const sent = await reprocessOnce(api, before, { pause });
    say(log, l10n.t('{0} copies all tables of {1} again.', target.name, nameOfConfig(sent)));
    await health.askNow();
  });
}

export async function reprocessStream(services: Services): Promise<void> {
  const { log, health } = services;
  await withProgress(log, l10n.t('Reprocessing'), async () => {
    const connected = await connectSelected(services);
    if (connected === undefined) return;
    const { target, api } = connected;
    const stream = await chooseStream(api);
    if (stream === undefined) return;
    const before = await api.diagnose();
    const details = l10n.t(
      'Only the rows of this stream are copied again. The old copy is served until then. Afterwards, clients download this stream again, and nothing else.',
    );
    const question = l10n.t('Reprocess {0} of {1}?', stream, target.name);
    const answer = await confirmFor(target, question, details, l10n.t('Reprocess'));
    if (!answer) return;
    const sent = await reprocessOnce(api, before, { pause }, [stream]);
    say(log, l10n.t('{0} copies {1} of {2} again.', target.name, stream, nameOfConfig(sent)));
    await health.askNow();
  });
}

/** Returns a stream of the active config. Undefined if the user chooses none. */
async function chooseStream(api: Api): Promise<string | undefined> {
  const { value } = await api.ask('POST', streamsPath, {});
  const items = readOfferedStreams(value).streams.map(({ name }): QuickPickItem => ({ label: name }));
  const picked = await window.showQuickPick(items, {
    title: l10n.t('Reprocess Stream'),
    placeHolder: l10n.t('The stream whose rows are copied again'),
  });
  return picked?.label;
}
