import { lifetimes } from '../../../project/clientToken.ts';
import { signToken } from '../../clientTokens.ts';
import { command } from '../../command.ts';
import { CliFailure } from '../../failure.ts';

export const generateToken = command({
  name: 'generate token',
  summary: 'Create a token for a client',
  about: `Signs a token for development, with a secret key (kty: oct) of client_auth in the service config. No service is needed.
Prints only the token.`,
  options: {
    subject: { value: 'USER', summary: 'The user: the value of auth.user_id()' },
    'expires-in-seconds': {
      value: 'SECONDS',
      between: [1, lifetimes.longest],
      summary: `How long the token is valid (default: ${lifetimes.usual}, at most ${lifetimes.longest})`,
    },
    kid: { value: 'ID', summary: 'The key to sign with (default: the first secret key)' },
    audience: { value: 'NAME', many: true, summary: 'The audience, instead of client_auth.audience' },
    claim: { value: 'NAME=JSON', many: true, summary: 'An additional claim, such as role=\'"admin"\'' },
    config: { alias: '-c', value: 'FILE', summary: 'The service config (default: service.yaml)' },
  },
  examples: ['generate token --subject ada', 'generate token --subject ada --claim \'role="admin"\''],
  run: async ({ text, texts, number, world }) => {
    const subject = text('subject');
    if (subject === undefined) throw new CliFailure('Specify the user with --subject USER.');
    const { token, expiresAt } = await signToken(
      { ...Object.fromEntries(texts('claim').map(readClaim)), sub: subject },
      {
        config: text('config'),
        kid: text('kid'),
        audience: texts('audience'),
        lifetime: number('expires-in-seconds'),
      },
      world,
    );
    return {
      code: 0,
      json: { token, expiresAt: new Date(expiresAt).toISOString() },
      lines: [token],
    };
  },
});

/** Reads a claim. A value that is not JSON is a string. */
function readClaim(claim: string): readonly [string, unknown] {
  const at = claim.indexOf('=');
  if (at <= 0) throw new CliFailure(`--claim must be NAME=JSON, not ${claim}.`);
  const value = claim.slice(at + 1);
  try {
    return [claim.slice(0, at), JSON.parse(value)];
  } catch {
    return [claim.slice(0, at), value];
  }
}
