/** Asks the user at the terminal before files of a folder determine how a token is used. */
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
 * Asks for consent before a token is sent. Throws a failure if the user does not agree or cannot be asked.
 *
 * @param file the file that contains the address, if there is one
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
          `A file in this folder takes a value from ${variables.join(' and ')}. Without your consent, it may use only variables that begin with ${ownPrefixes.join(', ')}.`,
        ]
      : [];
  // The names of files and variables may come from a stranger, so they must not control the terminal at which the user agrees.
  return harmless([...place, ...source].join(' '));
}

function remedyFor({ isForeign, variables }: Consent, url: string): string {
  return [
    'No token is sent there before you agree. Run this command once in a terminal.',
    ...(isForeign
      ? [`Or specify the service yourself, with --service ${url} or the variable POWERSYNC_URL.`]
      : []),
    ...(variables.length > 0 ? ['Or set PS_ADMIN_TOKEN to the token.'] : []),
  ].join(' ');
}
