/**
 * Keys of write checkpoints: `user`, or `user/client`. If the id of the user contains a slash or is empty, such a key would be
 * ambiguous, so it begins with the length of the id: `/3/a/b/client`.
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

/**
 * The maximum number for one user. Clients choose their ids, so there could be any number of them. The most recent ones are kept.
 */
export const mostWriteCheckpoints = 1_000;

const highest = 2n ** 63n - 1n;

/**
 * Returns the next number, or undefined after the highest one. Only a client can cause that, by asking for the highest number
 * itself.
 */
export function numberAfter(before: bigint | undefined): bigint | undefined {
  if (before === undefined) return 1n;
  return before < highest ? before + 1n : undefined;
}
