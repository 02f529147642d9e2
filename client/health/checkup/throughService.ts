/** Accesses the source through the service, because the address of the source is not known here. */
import type { Api } from '../../api/api.ts';
import { t } from '../../l10n.ts';
import type { SourceAccess } from './checkSource.ts';

export async function sourceThrough(
  service: () => Promise<Pick<Api, 'diagnose' | 'preflight' | 'query' | 'scripts'>>,
  content?: string,
): Promise<SourceAccess> {
  try {
    const api = await service();
    const [source] = (await api.diagnose({})).sources;
    if (source?.connected === false)
      return {
        kind: 'unknown',
        why: t('Not checked: the service cannot reach its source. See below.'),
      };
    // This call fails for other services, because they have no scripts.
    const scripts = await api.scripts().catch(() => undefined);
    if (scripts?.isEmbedded) return { kind: 'embedded' };
    const query = (sql: string) => api.query(sql, []);
    const preflight = await api.preflight(content);
    if (preflight !== undefined) return { kind: 'proved', preflight, query };
    await query('SELECT 1 AS one');
    return {
      kind: 'postgresql',
      name: source?.uri ?? source?.id ?? '',
      query,
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      kind: 'unknown',
      why: t(
        'Not checked: the address of the source is not known here, and the service cannot query the source for us. {0}',
        why,
      ),
    };
  }
}
