/**
 * The limits for files of a folder that want to use the user's secrets and files. The files are part of a repository, so anyone
 * may have written them. They can name addresses, variables and paths. But until the user agrees, no token is sent to a foreign
 * address, no token is taken from a variable of another tool, and no service reads or writes outside of the folder.
 */
import { readAddress } from '../api/address.ts';

/**
 * Files of a folder can name variables with these prefixes without a question, because such variables are only for sync
 * services.
 */
export const ownPrefixes = ['PS_', 'POWERSYNC_', 'SVC_'] as const;

export function isOwnVariable(name: string): boolean {
  return ownPrefixes.some((prefix) => name.startsWith(prefix));
}

export interface Destination {
  readonly url: string;
  /** Whether the user named the address, or only a file of the folder did. */
  readonly namedBy: 'user' | 'folder';
  /** The variables from which files of the folder take the address and the sent token. */
  readonly variables: readonly string[];
}

/** The consent that a token needs before it is sent. */
export interface Consent {
  readonly origin: string;
  /** Whether the address is not on this machine and only a file has named it. */
  readonly isForeign: boolean;
  /** The variables of other tools. */
  readonly variables: readonly string[];
}

/** Returns the needed consent. Undefined if no question is necessary. Throws a failure if the address is invalid. */
export function neededConsent({ url, namedBy, variables }: Destination): Consent | undefined {
  const { origin, loopback } = readAddress(url);
  const isForeign = namedBy === 'folder' && !loopback;
  const strange = [...new Set(variables)].filter((name) => !isOwnVariable(name));
  return isForeign || strange.length > 0 ? { origin, isForeign, variables: strange } : undefined;
}

/** A consent that the user has given for one folder. */
export interface Grant {
  readonly folder: string;
  readonly origin: string;
  readonly variables: readonly string[];
}

/** A place outside of a folder that its service config may use. Both paths are real paths. */
export interface PlaceGrant {
  readonly folder: string;
  readonly place: string;
}

export function grantFor(folder: string, { origin, variables }: Consent): Grant {
  return { folder, origin, variables };
}

export function isGranted(grants: readonly (Grant | PlaceGrant)[], wanted: Grant): boolean {
  return grants
    .filter(isGrant)
    .some(
      ({ folder, origin, variables }) =>
        folder === wanted.folder &&
        origin === wanted.origin &&
        wanted.variables.every((name) => variables.includes(name)),
    );
}

/** Reads grants. Invalid entries are left out, because other programs may have changed the stored grants. */
export function readGrants(value: unknown): readonly (Grant | PlaceGrant)[] {
  return Array.isArray(value) ? value.filter((each) => isGrant(each) || isPlaceGrant(each)) : [];
}

export function isPlaceGrant(value: unknown): value is PlaceGrant {
  const { folder, place } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof folder === 'string' && typeof place === 'string';
}

function isGrant(value: unknown): value is Grant {
  const { folder, origin, variables } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return (
    typeof folder === 'string' &&
    typeof origin === 'string' &&
    Array.isArray(variables) &&
    variables.every((name) => typeof name === 'string')
  );
}
