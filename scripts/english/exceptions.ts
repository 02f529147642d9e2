/** Texts that have one of the constructions and still read well, each with its reason. */
export const exceptions: ReadonlyMap<string, string> = new Map([]);
