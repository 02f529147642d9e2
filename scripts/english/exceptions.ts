/** Texts that contain one of the constructions but are easy to read, each with the reason. */
export const exceptions: ReadonlyMap<string, string> = new Map([]);
