/** The text of a page about an error of the service, in addition to the catalogue. */
export type ErrorText = {
  readonly when: string;
  readonly todo: string;
} & Meeting;

/** The place where users see the error, with an example. */
type Meeting =
  | {
      readonly told: 'at the start';
      readonly config: string;
      /** The only places that the code may use. */
      readonly within?: readonly string[];
    }
  | { readonly told: 'in answers'; readonly details?: string }
  | { readonly told: 'in diagnostics' | 'in the log' | 'on the terminal'; readonly says: string }
  /** The code is returned only by other services. */
  | { readonly told: 'never' };
