import { t } from '../l10n.ts';
import type { Target } from './target.ts';

/** The setting `headwater.targets`; what makes no sense in it is left out. */
export function targetsFromSettings(value: unknown): readonly Target[] {
  const entries = Array.isArray(value) ? value : [];
  return entries.flatMap((entry: unknown): Target[] => {
    const { name, url, tokenVariable, ca } = (entry ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof name !== 'string' || name.trim() === '' || typeof url !== 'string') return [];
    const isNamed = typeof tokenVariable === 'string' && tokenVariable !== '';
    return [
      {
        id: `settings:${name}`,
        name: name.trim(),
        kind: 'remote',
        url,
        token: isNamed ? { kind: 'variable', name: tokenVariable } : { kind: 'stored' },
        ...(typeof ca === 'string' && ca !== '' && { ca }),
        origin: t('settings'),
      },
    ];
  });
}
