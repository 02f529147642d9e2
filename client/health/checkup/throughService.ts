/** The source as the service reaches it, where its address is not known here. */
import type { Api } from '../../api/api.ts';
import { t } from '../../l10n.ts';
import type { SourceAccess } from './source.ts';

export async function sourceThrough(
  service: () => Promise<Pick<Api, 'diagnose' | 'query' | 'scripts'>>,
): Promise<SourceAccess> {
  try {
    const api = await service();
    const [source] = (await api.diagnose({})).sources;
    if (source?.connected === false)
      return {
        kind: 'unknown',
        why: t('Not checked: the service cannot reach its source. See below.'),
      };
    // Other services know nothing of scripts.
    const scripts = await api.scripts().catch(() => undefined);
    if (scripts?.isEmbedded) return { kind: 'embedded' };
    await api.query('SELECT 1 AS one', []);
    return {
      kind: 'postgresql',
      name: source?.uri ?? source?.id ?? '',
      query: (sql) => api.query(sql, []),
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      kind: 'unknown',
      why: t('Not checked: its address is not known here, and the service does not ask it for us. {0}', why),
    };
  }
}
