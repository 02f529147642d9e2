/** Whether the user has to be asked before a token goes to a target that files of the workspace describe. */
import { parseUrl } from '../../api/address.ts';
import { type Consent, type Destination, neededConsent } from '../../project/trust.ts';

/** An address that is none gets no token anyway: connecting to it fails, and says why. */
export function consentFor(
  url: string,
  namedBy: Destination['namedBy'],
  variables: readonly string[],
): Consent | undefined {
  if (!/^https?:$/.test(parseUrl(url)?.protocol ?? '')) return undefined;
  return neededConsent({ url, namedBy, variables });
}
