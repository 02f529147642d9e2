import { createHmac } from 'node:crypto';
import { command } from './command.ts';
import { CliFailure } from './failure.ts';
import { readServiceConfig } from './serviceConfig.ts';
import type { Values } from './values.ts';

const hashes: Readonly<Record<string, string>> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };

/** Seconds. The service refuses tokens that live longer (SVC_S2104). */
const lifetimes = { usual: 43_200, longest: 86_400 };

export const generateToken = command({
  name: 'generate token',
  summary: 'Make a token with which a client may sync',
  about: `Signs a token with a secret key (kty: oct) of client_auth in the service config, for development. Asks no
service. Prints the token only.`,
  options: {
    subject: { value: 'USER', summary: 'Who it is for: what auth.user_id() gives' },
    'expires-in-seconds': {
      value: 'SECONDS',
      between: [1, lifetimes.longest],
      summary: `How long it is valid; usually ${lifetimes.usual}, at most ${lifetimes.longest}`,
    },
    kid: { value: 'ID', summary: 'Which key; usually the first secret one' },
    audience: { value: 'NAME', many: true, summary: 'Instead of client_auth.audience' },
    claim: { value: 'NAME=JSON', many: true, summary: 'One more claim, such as role=\'"admin"\'' },
    config: { alias: '-c', value: 'FILE', summary: 'The service config; usually service.yaml' },
  },
  examples: ['generate token --subject ada', 'generate token --subject ada --claim \'role="admin"\''],
  run: async ({ text, texts, number, world }) => {
    const subject = text('subject');
    if (subject === undefined) throw new CliFailure('Who is it for? Write --subject USER.');
    const config = await readServiceConfig(world, text('config'));
    if (config === undefined)
      throw new CliFailure('There is no service.yaml here. Name the service config with --config FILE.');
    const { path, values } = config;
    const key = findKey(values, text('kid'), path);
    const audience = texts('audience').length > 0 ? texts('audience') : values.texts('/client_auth/audience');
    if (audience.length === 0)
      throw new CliFailure(`${path} lists no client_auth.audience, so the service accepts no token.`);
    const issued = Math.floor(world.now() / 1000);
    const expires = issued + (number('expires-in-seconds') ?? lifetimes.usual);
    const claims = {
      ...Object.fromEntries(texts('claim').map(readClaim)),
      sub: subject,
      iat: issued,
      exp: expires,
      iss: 'headwater',
      aud: audience,
    };
    const header = { alg: key.alg, ...(key.kid !== undefined && { kid: key.kid }), typ: 'JWT' };
    const token = sign(header, claims, key);
    return {
      code: 0,
      json: { token, expiresAt: new Date(expires * 1000).toISOString() },
      lines: [token],
    };
  },
});

interface Key {
  readonly alg: string;
  readonly kid: string | undefined;
  readonly secret: Buffer;
}

function findKey(values: Values, kid: string | undefined, path: string): Key {
  const list = '/client_auth/jwks/keys';
  for (let index = 0; index < values.count(list); index += 1) {
    const at = `${list}/${index}`;
    const own = values.text(`${at}/kid`);
    if (values.text(`${at}/kty`) !== 'oct' || (kid !== undefined && kid !== own)) continue;
    const alg = values.text(`${at}/alg`) ?? 'HS256';
    const k = values.text(`${at}/k`);
    if (k !== undefined && hashes[alg] !== undefined)
      return { alg, kid: own, secret: Buffer.from(k, 'base64url') };
  }
  const which = kid === undefined ? 'secret key' : `secret key with the kid ${kid}`;
  throw new CliFailure(
    `${path} has no ${which} to sign with. Under client_auth.jwks.keys, add { kty: oct, alg: HS256, kid: dev, k: !env PS_JWT_SECRET_B64URL }.`,
  );
}

/** A value that is no JSON is a text. */
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

function sign(header: object, claims: object, { alg, secret }: Key): string {
  const head = `${encode(header)}.${encode(claims)}`;
  return `${head}.${createHmac(hashes[alg] ?? '', secret)
    .update(head)
    .digest('base64url')}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
