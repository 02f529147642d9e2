/** Errors for connected clients that do not get all of their streams, and warnings for clients that are close to that. */
import type { ConnectedClient } from '../sync/clients.ts';
import type { ReplicationError } from './problems.ts';

type Client = Pick<ConnectedClient, 'userId' | 'share'>;

/** The share of the limit at which the warnings about a client begin. */
const near = 0.8;

export function shareErrors(clients: readonly Client[], mostBuckets: number): readonly ReplicationError[] {
  const shares = clients.map(({ userId, share }) => ({ userId, ...share() }));
  const warning = (message: string): ReplicationError => ({ level: 'warning', code: 'SVC_S2305', message });
  return [...describeFailing(shares), ...nearLimit(shares, mostBuckets)].map(warning);
}

type Share = ReturnType<ConnectedClient['share']> & { readonly userId: string };

/** Returns one sentence for each stream. */
function describeFailing(shares: readonly Share[]): readonly string[] {
  const byStream = new Map<string, { readonly clients: Set<Share>; readonly sentence: string }>();
  for (const share of shares)
    for (const { name, errors } of share.failing) {
      const sentence = `For example, user ${share.userId}: ${errors[0]?.message}`;
      const found = byStream.get(name) ?? { clients: new Set(), sentence };
      byStream.set(name, found);
      found.clients.add(share);
    }
  return [...byStream].map(
    ([name, { clients, sentence }]) => `${amount(clients.size)} not get all of ${name}. ${sentence}`,
  );
}

function nearLimit(shares: readonly Share[], mostBuckets: number): readonly string[] {
  const large = shares
    .filter(({ buckets, failing }) => failing.length === 0 && buckets >= near * mostBuckets)
    .sort((a, b) => b.buckets - a.buckets);
  const [largest] = large;
  if (largest === undefined) return [];
  const number = (value: number) => value.toLocaleString('en');
  return [
    `User ${largest.userId} has ${number(largest.buckets)} of the ${number(mostBuckets)} buckets that one client may have. With more, streams are left out.`,
  ];
}

function amount(clients: number): string {
  return clients === 1 ? '1 connected client does' : `${clients} connected clients do`;
}
