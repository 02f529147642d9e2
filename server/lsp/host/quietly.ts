/**
 * Sends a request whose answer is not needed. If the client refuses it, only a refresh is lost, but an unhandled rejection would
 * end the process.
 */
export function quietly(sent: Promise<unknown>): void {
  sent.catch(() => {});
}
