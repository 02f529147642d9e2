/** Validates a config. If it fails, `errors` contains the problems in the form of ajv. */
export declare const validate: {
  (value: unknown): boolean;
  readonly errors?: readonly Violation[] | null;
};

/** A violation of the schema. `params` depends on the keyword. */
export interface Violation {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}
