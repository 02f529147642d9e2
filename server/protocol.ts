/** What the two sides of the language protocol agree on: the only file of `server/` that the extension imports. */

/** The `source` of every diagnostic, and the id of the language server's trace setting. */
export const serverId = 'headwater';
