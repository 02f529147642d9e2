/** Asks the user at the terminal when files of a folder decide what happens with a token. */
import {
  type Consent,
  type Destination,
  grantFor,
  isGranted,
  neededConsent,
  ownPrefixes,
} from '../project/trust.ts';
import { harmless } from './colours.ts';
import type { Call } from './command.ts';
import { CliFailure, explainFile } from './failure.ts';

/**
 * Before a token is sent. Throws a failure if the user does not agree, or is not there.
 *
 * @param file that names the address, if one does
 */
export async function askConsent(
  destination: Destination,
  file: string | undefined,
  { world, progress }: Pick<Call, 'world' | 'progress'>,
): Promise<void> {
  const consent = neededConsent(destination);
  if (consent === undefined) return;
  const grant = grantFor(world.files.real(world.folder), consent);
  if (isGranted(await world.grants.read(), grant)) return;
  progress.end();
  const facts = factsOf(consent, file);
  const answer = await world.confirm(`${facts}\nSend a token to ${consent.origin}?`);
  if (answer === undefined) throw new CliFailure(`${facts} ${remedyFor(consent, destination.url)}`);
  if (!answer) throw new CliFailure(`Nothing was sent to ${consent.origin}.`);
  await world.grants.add(grant).catch((error: unknown) => {
    world.complain(explainFile('write', world.grants.path, error));
  });
}

function factsOf({ origin, isForeign, variables }: Consent, file: string | undefined): string {
  const place = isForeign ? [`${file} names ${origin}, which is not this machine.`] : [];
  const source =
    variables.length > 0
      ? [
          `A file of this folder takes a value from ${variables.join(' and ')}; without a question, it may only name variables that begin with ${ownPrefixes.join(', ')}.`,
        ]
      : [];
  // Names of files and of variables are a stranger's, and must not steer the terminal at which a yes is given.
  return harmless([...place, ...source].join(' '));
}

function remedyFor({ isForeign, variables }: Consent, url: string): string {
  return [
    'No token is sent there before you agree: run this once at a terminal.',
    ...(isForeign ? [`Or name the service yourself: --service ${url}, or the variable POWERSYNC_URL.`] : []),
    ...(variables.length > 0 ? ['Or set PS_ADMIN_TOKEN to the token.'] : []),
  ].join(' ');
}
