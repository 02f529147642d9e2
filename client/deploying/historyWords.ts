/** Words for the list of deployed configs. */
import { t } from '../l10n.ts';
import type { ListedConfig } from './history.ts';

/** Returns the state, the time, the user and the origin of a config, as far as they are known. */
export function describeListed({
  state,
  at,
  deployedBy,
  isOwn,
  hasServed,
  isOfEarlierStorage,
}: ListedConfig): string {
  const states = { active: t('active'), pending: t('being copied'), earlier: t('earlier') };
  const isUnused = state === 'earlier' && hasServed === false;
  return [
    isUnused
      ? t('never active')
      : isOfEarlierStorage
        ? t('earlier, before its storage was deleted')
        : states[state],
    new Date(at).toLocaleString(),
    ...(deployedBy === undefined ? [] : [t('by {0}', deployedBy)]),
    ...(isOwn ? [t('deployed from here')] : []),
  ].join(' · ');
}
