/** Whether the user has to be asked before a token is sent to a target, and before a config is deployed to it. */
import { parseUrl } from '../../api/address.ts';
import { type Consent, type Destination, neededConsent } from '../../project/trust.ts';

/** Returns the needed consent. An invalid address needs none, because connecting to it fails with an explanation. */
export function consentFor(
  url: string,
  namedBy: Destination['namedBy'],
  variables: readonly string[],
): Consent | undefined {
  if (!/^https?:$/.test(parseUrl(url)?.protocol ?? '')) return undefined;
  return neededConsent({ url, namedBy, variables });
}

/**
 * Returns the hosts for deploys without a question. A stranger may have written the settings of the folder, so they can only remove
 * hosts of the user.
 */
export function allowedHosts({ user, folder = user }: HostSettings): readonly string[] {
  return user.filter((host) => folder.includes(host));
}

/** The values of the setting `headwater.allowDeployTo`. */
interface HostSettings {
  readonly user: readonly string[];
  /** Absent if the folder does not set it. */
  readonly folder?: readonly string[];
}

/**
 * Whether a host is in the list of hosts for deploys without a question, such as `localhost`, `10.0.0.7:8080` or
 * `*.test.example`.
 */
export function isAllowed(url: string, allowed: readonly string[]): boolean {
  if (!URL.canParse(url)) return false;
  const { host, hostname } = new URL(url);
  return allowed.some((entry) => {
    const name = entry.trim().toLowerCase();
    if (name.startsWith('*.')) return hostname.endsWith(name.slice(1));
    return name !== '' && (name === host || name === hostname || `[${name}]` === hostname);
  });
}
