import { present } from '../../api/reading.ts';
import { t } from '../../l10n.ts';
import type { Destination } from '../../project/trust.ts';
import { consentFor } from './consent.ts';
import type { Target } from './target.ts';

/**
 * Reads the setting `headwater.targets`, and leaves out invalid entries.
 *
 * @param namedBy the author of the setting; a `.vscode/settings.json` is a file of the folder
 */
export function targetsFromSettings(value: unknown, namedBy: Destination['namedBy']): readonly Target[] {
  const entries = Array.isArray(value) ? value : [];
  return entries.flatMap((entry: unknown): Target[] => {
    const { name, url, tokenVariable, ca } = (entry ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof name !== 'string' || name.trim() === '' || typeof url !== 'string') return [];
    const isNamed = typeof tokenVariable === 'string' && tokenVariable !== '';
    const variables = isNamed && namedBy === 'folder' ? [tokenVariable] : [];
    return [
      {
        id: `settings:${name}`,
        name: name.trim(),
        kind: 'remote',
        url,
        token: isNamed ? { kind: 'variable', name: tokenVariable } : { kind: 'stored' },
        ...(typeof ca === 'string' && ca !== '' && { ca }),
        ...present({ consent: consentFor(url, namedBy, variables) }),
        origin: t('settings'),
      },
    ];
  });
}
