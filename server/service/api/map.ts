/** A map of the synced data, for the active config and for the one that is being copied. */
import { readServiceSchema, syncMapOf } from '../../engine/index.ts';
import { situationOf } from '../deployments/lifecycle.ts';
import type { Deployment } from '../storage/deployment.ts';
import type { ApiParts } from './parts.ts';

/** @param schema the answer of `POST /api/admin/v1/schema` */
export async function answerMap(
  { store, configs }: Pick<ApiParts, 'store' | 'configs'>,
  schema: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const catalog = readServiceSchema(schema)?.catalog;
  const mapOf = (deployment: Deployment): object => {
    const { config } = configs.of(deployment).analysis;
    if (config === undefined) return {};
    const { tables, streams, audiences } = syncMapOf(config, catalog);
    return {
      tables,
      streams: streams.map(({ at, isDefault, ...stream }) => ({
        ...stream,
        is_default: isDefault,
        location: { start_offset: at.start, end_offset: at.end },
      })),
      audiences,
    };
  };
  const { serving, pending } = situationOf(await store.all());
  return {
    ...(serving && { active_sync_rules: mapOf(serving) }),
    ...(pending && { deploying_sync_rules: mapOf(pending) }),
  };
}
