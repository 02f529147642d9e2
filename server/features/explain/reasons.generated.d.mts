/** Why each code matters, in Markdown: the text above the examples in `docs/rules/`. */
export declare const reasons: ReadonlyMap<string, string>;
