/** What the two sides of the language protocol agree on: the only file of `server/` that the extension imports. */

/** The `source` of every diagnostic, and the id of the language server's trace setting. */
export const serverId = 'headwater';

/** What the client may say of itself in `initializationOptions`. */
export interface ClientOptions {
  /** Commands that it has, so that code lenses may offer them. */
  readonly commands?: readonly string[];
  /** The address of the page that explains the codes; each has its anchor there. */
  readonly rulesPage?: string;
}
