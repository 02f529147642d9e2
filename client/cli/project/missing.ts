/** Tables and columns that a sync config reads but its source does not have. */
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
 * Returns the tables and columns that a config reads but the current source does not have, whichever config is deployed.
 * Returns nothing if the service does not report its tables.
 */
export async function missingOnService(
  api: Pick<Api, 'schema'>,
  { path, text }: NamedText,
  world: Pick<World, 'signal'>,
  over?: AbortSignal,
): Promise<readonly MissingName[]> {
  const source = await sourceOf(api, world, over);
  return source === undefined ? [] : missingInSource(source, { path, text });
}

/** Returns the tables and columns that a config reads but the source does not have. */
export function missingInSource(source: KnownSource, { path, text }: NamedText): readonly MissingName[] {
  return missingIn(analyze(text, { ...source, kind: 'sync', fileName: path }));
}

/** Returns the tables of the source as the service reports them. Undefined if it does not report them. */
export async function sourceOf(
  api: Pick<Api, 'schema'>,
  { signal }: Pick<World, 'signal'>,
  over: AbortSignal = signal,
): Promise<KnownSource | undefined> {
  const answer = await unlessFailed(api.schema(AbortSignal.any([signal, over])));
  return answer === undefined ? undefined : readServiceSchema(answer);
}
