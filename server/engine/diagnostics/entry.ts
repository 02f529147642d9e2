/** The form of an entry of the catalogue: its severity, its title for lists and pages, and its message. */

export type Severity = 'error' | 'warning' | 'hint';

interface CatalogueEntry<A> {
  readonly severity: Severity;
  readonly title: string;
  readonly message: (args: A) => string;
}

// biome-ignore lint/complexity/noBannedTypes: `{}` is the argument type of a message that takes none.
type NoArgs = {};

export const error = <A = NoArgs>(
  title: string,
  message: (args: A) => string,
): CatalogueEntry<NoInfer<A>> => ({
  severity: 'error',
  title,
  message,
});
export const warning = <A = NoArgs>(
  title: string,
  message: (args: A) => string,
): CatalogueEntry<NoInfer<A>> => ({
  severity: 'warning',
  title,
  message,
});
export const hint = <A = NoArgs>(
  title: string,
  message: (args: A) => string,
): CatalogueEntry<NoInfer<A>> => ({
  severity: 'hint',
  title,
  message,
});

export interface NearName {
  /** The nearest known name, if it is similar enough to be the intended one. */
  readonly near?: string | undefined;
}

export const didYouMean = ({ near }: NearName): string =>
  near === undefined ? '' : ` Did you mean \`${near}\`?`;
export const countOf = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`;

/** A group of codes with their entries. */
export type FindingGroup = Readonly<Record<string, CatalogueEntry<never>>>;
