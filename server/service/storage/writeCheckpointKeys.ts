/**
 * Keys of write checkpoints: `user`, or `user/client`. If the user's id contains a slash or is empty, that
 * could be read in two ways, so its length comes first: `/3/a/b/client`.
 */
export function writeCheckpointKey(userId: string, clientId: string | undefined): string {
  const isPlain = userId !== '' && !userId.includes('/');
  const user = isPlain ? userId : `/${userId.length}/${userId}`;
  return clientId === undefined ? user : `${user}/${clientId}`;
}

/** The part of a key that all clients of a user share. */
export function userPartOf(key: string): string {
  const length = /^\/(\d+)\//.exec(key);
  if (length === null) return key.split('/', 1)[0] ?? '';
  return key.slice(0, length[0].length + Number(length[1]));
}

/** For one user. Clients choose their ids, so there could be any number; those that asked last are kept. */
export const mostWriteCheckpoints = 1_000;

const highest = 2n ** 63n - 1n;

/** Undefined at the end of all numbers, where only a client can lead itself, by asking for the highest one. */
export function numberAfter(before: bigint | undefined): bigint | undefined {
  if (before === undefined) return 1n;
  return before < highest ? before + 1n : undefined;
}
