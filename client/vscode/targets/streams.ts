/** The streams that clients of a service can ask for, if the service itself does not report them. */
import { type SubscribableStream, streamsRequest } from '../../../server/protocol.ts';
import { contentOf, shownConfig } from '../configs.ts';
import type { Services } from '../services.ts';
import type { Target } from './target.ts';

interface FoundStreams {
  readonly streams: readonly SubscribableStream[];
  /** The origin. `file`: the config in the editor, which may differ from the deployed one. */
  readonly origin: 'deployed' | 'file';
}

/** Returns the streams of the deployed config, otherwise of the config in the editor. Undefined if there is neither. */
export async function streamsForTarget(
  { language, history, health }: Services,
  target: Target,
): Promise<FoundStreams | undefined> {
  const now = health.health();
  const active = 'diagnosis' in now ? now.diagnosis.active : undefined;
  const document = shownConfig();
  const deployed = active && history.contentOf(target.id, active);
  const text = deployed ?? (document && contentOf(document));
  if (text === undefined) return undefined;
  await language.ensure();
  const streams = await language.ask<readonly SubscribableStream[]>(streamsRequest, { text });
  return streams && { streams, origin: deployed === undefined ? 'file' : 'deployed' };
}
