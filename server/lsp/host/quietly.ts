/**
 * For requests whose answer nobody needs. A client that refuses them loses nothing but a refresh, while a rejected
 * promise that nobody looks at would end the process.
 */
export function quietly(sent: Promise<unknown>): void {
  sent.catch(() => {});
}
