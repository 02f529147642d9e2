/** What a page about an error of the service says beyond the catalogue. */
export type ErrorText = {
  readonly when: string;
  readonly todo: string;
} & Meeting;

/** Where one meets it, with an example. */
type Meeting =
  | {
      readonly told: 'at the start';
      readonly config: string;
      /** The only places that it may use. */
      readonly within?: readonly string[];
    }
  | { readonly told: 'in answers'; readonly details?: string }
  | { readonly told: 'in diagnostics' | 'in the log' | 'on the terminal'; readonly says: string }
  /** Given by other services only. */
  | { readonly told: 'never' };
