/** Tables and columns that a sync config reads and its source does not have. */
import {
  analyze,
  type KnownSource,
  type MissingName,
  missingIn,
  readServiceSchema,
} from '../../../server/engine/index.ts';
import type { Api } from '../../api/api.ts';
import { unlessFailed } from '../../api/failure.ts';
import type { World } from '../world.ts';

interface NamedText {
  readonly path: string;
  readonly text: string;
}

/**
 * Returns the missing tables and columns of the present source, whatever text is deployed. Nothing is missing for a service
 * that does not report its tables.
 */
export async function missingOnService(
  api: Pick<Api, 'schema'>,
  { path, text }: NamedText,
  world: Pick<World, 'signal'>,
  over?: AbortSignal,
): Promise<readonly MissingName[]> {
  const source = await sourceOf(api, world, over);
  return source === undefined ? [] : missingIn(analyze(text, { ...source, kind: 'sync', fileName: path }));
}

/** The tables of the source, as the service tells them; undefined if it does not. */
export async function sourceOf(
  api: Pick<Api, 'schema'>,
  { signal }: Pick<World, 'signal'>,
  over: AbortSignal = signal,
): Promise<KnownSource | undefined> {
  const answer = await unlessFailed(api.schema(AbortSignal.any([signal, over])));
  return answer === undefined ? undefined : readServiceSchema(answer);
}
