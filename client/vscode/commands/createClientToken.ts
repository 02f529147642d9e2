/** Creates a token with which an app under development connects to the local service. */
import { env, l10n } from 'vscode';
import { type ReadResult, readWho, type Who, wrong } from '../../preview/who.ts';
import { type ClientClaims, lifetimes, localClientKey, signClientToken } from '../../project/clientToken.ts';
import type { Services } from '../services.ts';
import { treeArgument } from '../views/serviceNodes.ts';
import { askClaims, chooseUser } from './chooseUser.ts';
import { complain, say } from './telling.ts';

/** @param named a client in the view, for whose user the token is */
export async function createClientToken(services: Services, named: unknown): Promise<void> {
  const { local, log } = services;
  if (local === undefined)
    return complain(log, l10n.t('Open a folder first: the local service belongs to one.'));
  const user = treeArgument(named).client?.user;
  const claims = user === undefined ? await chooseClaims(services) : { sub: user };
  if (claims === undefined) return;
  const key = localClientKey(await local.key());
  await env.clipboard.writeText(signClientToken(claims, key, Date.now()).token);
  say(
    log,
    l10n.t(
      'A token for {0} was copied to the clipboard. It is valid for {1} hours.',
      claims.sub,
      lifetimes.usual / 3600,
    ),
  );
}

async function chooseClaims(services: Services): Promise<ClientClaims | undefined> {
  const target = services.local?.target();
  const answer = await chooseUser(services, {
    title: l10n.t('Create Client Token'),
    placeholder: l10n.t('A user, whose id auth.user_id() gives in queries, or claims as JSON'),
    target,
    readText: readClaims,
  });
  if (answer?.kind !== 'who' || answer.who.kind !== 'claims') return undefined;
  return askClaims(services, target, answer.who.claims);
}

function readClaims(text: string): ReadResult<Who> {
  const who = readWho(text);
  return who.kind === 'read' && who.value.kind === 'token' ? wrong(l10n.t('This is a token already.')) : who;
}
