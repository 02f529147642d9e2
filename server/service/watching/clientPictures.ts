/** Describes connected clients for display, and their changes since the last description. */
import type { Clock } from '../ground/world.ts';
import type { ConnectedClient } from '../sync/clients.ts';

export interface ClientPictures {
  /** Returns the first clients, completely. */
  readonly picture: () => readonly object[];
  /** Returns the changes since the last call, or undefined if there are none. */
  readonly news: () => { readonly changed: readonly object[]; readonly gone: readonly number[] } | undefined;
}

/** The maximum number of listed clients. Others are only counted. */
const mostListed = 10_000;
/** The maximum number of changes in one message. Others follow a second later. */
const mostChanged = 500;
const mostSubscriptions = 100;

interface Known {
  readonly id: number;
  state: string;
  /** The time since when the client has not received everything that was announced to it. */
  behindSince?: number | undefined;
}

export function openClientPictures(
  clients: () => readonly ConnectedClient[],
  clock: Pick<Clock, 'now'>,
): ClientPictures {
  const known = new Map<ConnectedClient, Known>();
  let lastId = 0;
  const numberOf = (client: ConnectedClient): Known => {
    const found = known.get(client);
    if (found !== undefined) return found;
    lastId += 1;
    const added = { id: lastId, state: '' };
    known.set(client, added);
    return added;
  };
  const look = (client: ConnectedClient): { readonly entry: Known; readonly isNew: boolean } => {
    const entry = numberOf(client);
    const isBehind = client.position()?.complete === false;
    entry.behindSince = isBehind ? (entry.behindSince ?? clock.now()) : undefined;
    const state = stateOf(client, entry);
    const isNew = state !== entry.state;
    entry.state = state;
    return { entry, isNew };
  };
  const forgetGone = (present: readonly ConnectedClient[]): readonly number[] => {
    const here = new Set(present);
    const gone = [...known].filter(([client]) => !here.has(client));
    for (const [client] of gone) known.delete(client);
    return gone.map(([, { id }]) => id);
  };
  return {
    picture: () => {
      const present = clients().slice(0, mostListed);
      forgetGone(present);
      return present.map((client) => {
        return describeClient(client, look(client).entry);
      });
    },
    news: () => {
      const present = clients().slice(0, mostListed);
      const gone = forgetGone(present);
      const changed: object[] = [];
      for (const client of present) {
        if (changed.length >= mostChanged) break;
        const { entry, isNew } = look(client);
        if (isNew) changed.push(describeClient(client, entry));
      }
      return changed.length === 0 && gone.length === 0 ? undefined : { changed, gone };
    },
  };
}

/**
 * Returns a text that changes when the client changes. Subscriptions are not included, because they stay the same while a client
 * is connected.
 */
function stateOf({ position, share }: ConnectedClient, { behindSince }: Known): string {
  const { buckets, failing } = share();
  return `${position()?.opId ?? ''} ${buckets} ${behindSince ?? ''} ${failing.map(({ name }) => name).join(' ')}.`;
}

function describeClient(client: ConnectedClient, { id, behindSince }: Known): object {
  const { userId, clientId, transport, appMetadata, subscriptions, since, position, share } = client;
  const at = position();
  const { buckets, failing } = share();
  return {
    id,
    user_id: userId,
    client_id: clientId,
    app_metadata: appMetadata,
    transport,
    connected_ts: new Date(since).toISOString(),
    subscriptions: subscriptions.slice(0, mostSubscriptions).map(({ stream, parameters }) => ({
      stream,
      parameters: parameters === undefined ? null : JSON.parse(parameters.text),
    })),
    bucket_count: buckets,
    failing: failing.map(({ name, errors }) => `${name}: ${errors[0]?.message ?? ''}`),
    ...(at && { last_op_id: String(at.opId) }),
    ...(behindSince !== undefined && { behind_ts: new Date(behindSince).toISOString() }),
  };
}
