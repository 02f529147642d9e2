/** Tests the check of variables in `headwater doctor`. */
import { expect, test } from 'vitest';
import { headwater } from '../support/cli/cliWorld.ts';

const sync = 'config: { edition: 3 }\nstreams:\n  all: { query: SELECT * FROM lists }\n';

async function variables(
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
) {
  const { out } = await headwater(['doctor', '--json'], { files, env });
  const { checks } = JSON.parse(out.join('\n')) as {
    checks: { id: string; state: string; sentence: string }[];
  };
  return checks.find(({ id }) => id === 'variables');
}

const ofContainer = `replication: { connections: [{ type: postgresql, uri: !env PS_URI }] }
storage: { type: mongodb, uri: !env PS_MONGO }
sync_config: { path: sync-config.yaml }
client_auth: { audience: [app], jwks: { keys: [{ kty: oct, alg: HS256, k: !env PS_SECRET }] } }
`;

test('the variables of a service config for another machine are not checked, and those without a value are named', async () => {
  const files = { 'powersync/sync-config.yaml': sync, 'powersync/config.yaml': ofContainer };
  expect(await variables(files, { PS_URI: 'postgresql://db/app' })).toMatchObject({
    state: 'unknown',
    sentence: expect.stringMatching(/powersync\/config\.yaml .* PS_MONGO, PS_SECRET\.$/),
  });
});

test('without a service config, nothing is claimed about variables', async () => {
  expect(await variables({ 'sync.yaml': sync })).toMatchObject({ state: 'unknown' });
});

test('the variables of a service config for this machine must have values', async () => {
  const own = `replication: { connections: [{ type: embedded, password: !env PS_PASSWORD }] }\n`;
  const files = { 'sync.yaml': sync, 'service.yaml': own };
  expect(await variables(files)).toMatchObject({
    state: 'bad',
    sentence: expect.stringContaining('PS_PASSWORD'),
  });
  expect(await variables(files, { PS_PASSWORD: 'x' })).toMatchObject({ state: 'good' });
});
