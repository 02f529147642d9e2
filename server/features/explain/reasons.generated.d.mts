/** Why a code matters, in Markdown: what stands in `docs/rules/` above the examples. */
export declare const reasons: ReadonlyMap<string, string>;
