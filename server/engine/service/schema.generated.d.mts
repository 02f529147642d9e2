/** A failed check leaves what is wrong in `errors`, in the words of ajv. */
export declare const validate: {
  (value: unknown): boolean;
  readonly errors?: readonly Violation[] | null;
};

/** `params` depends on the keyword. */
export interface Violation {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}
