/** Problems of a service config. */
import { didYouMean, error, type FindingGroup, hint, type NearName, warning } from './entry.ts';

export const serviceStructureFindings = {
  'service-unknown-key': warning<{ key: string } & NearName>(
    'Unknown key of a service config',
    (a) => `Services ignore \`${a.key}\`: there is no such key here.${didYouMean(a)}`,
  ),
  'service-unknown-alias': error<{ name: string }>(
    'Unknown YAML alias',
    (a) => `No value above has the anchor \`&${a.name}\`, so this alias refers to nothing.`,
  ),
  'service-missing-key': error<{ parent: string; keys: string }>(
    'Missing key',
    (a) => `${a.parent} needs ${a.keys}.`,
  ),
  'service-missing-value': error<{ key: string } & { expected: string }>(
    'Missing value',
    (a) => `\`${a.key}\` has no value: write ${a.expected} after it, or remove it.`,
  ),
  'service-wrong-type': error<{ key: string } & { expected: string }>(
    'Wrong type of a value',
    (a) => `\`${a.key}\` must be ${a.expected}.`,
  ),
  'service-unknown-value': error<{ key: string } & { known: string } & NearName>(
    'Unknown value',
    (a) => `\`${a.key}\` must be ${a.known}.${didYouMean(a)}`,
  ),
  'service-out-of-range': error<{ key: string } & { range: string }>(
    'Number out of range',
    (a) => `\`${a.key}\` must be ${a.range}.`,
  ),
  'service-deprecated-key': hint<{ key: string } & { advice: string }>(
    'Deprecated key',
    (a) => `\`${a.key}\` is deprecated. ${a.advice}`,
  ),
  'service-ignored-key': warning<{ key: string } & { advice: string }>(
    'Ignored key of older releases',
    (a) => `\`${a.key}\` belongs to older releases. ${a.advice}`,
  ),
  'service-cloud': hint(
    'Config of a hosted instance',
    () =>
      'This file configures a hosted instance. Only its YAML is checked; the rest is for self-hosted services.',
  ),
} satisfies FindingGroup;

export const environmentFindings = {
  'env-not-a-scalar': error(
    '!env without the name of a variable',
    () => '`!env` needs the name of a variable after it, as in `!env PS_NAME`.',
  ),
  'env-without-prefix': error<{ name: string }>(
    'Environment variable without the prefix',
    (a) => `Services read only variables whose names start with PS_. Rename it to PS_${a.name}.`,
  ),
  'env-unknown-suffix': error<{ suffix: string } & NearName>(
    'Unknown type of an environment variable',
    (a) => `There is no \`::${a.suffix}\`, only ::string, ::number and ::boolean.${didYouMean(a)}`,
  ),
  'env-wrong-type': error<{ key: string } & { expected: string; instead?: string | undefined }>(
    'Wrong type of an environment variable',
    (a) =>
      `\`${a.key}\` must be ${a.expected}.${a.instead === undefined ? '' : ` Write \`!env ${a.instead}\`.`}`,
  ),
  'unknown-tag': warning<{ tag: string } & NearName>(
    'Unknown YAML tag',
    (a) => `Services ignore the tag \`${a.tag}\`, so this is plain text.${didYouMean(a)}`,
  ),
} satisfies FindingGroup;

export const serviceMeaningFindings = {
  'service-several-connections': error(
    'More than one source database',
    () => 'Only one source database is possible. Remove this one.',
  ),
  'service-not-embedded': warning<{ key: string } & { type: string }>(
    'Database not supported by the embedded service',
    (a) =>
      `The embedded service does not support \`${a.key}\` of type ${a.type}; other services do.${a.key === 'storage' ? ' For it, write two lines instead: `storage:` and, below, `type: embedded`.' : ''}`,
  ),
  'service-embedded-only': hint(
    'Key of the embedded service only',
    () => 'Only the embedded service supports this; other services refuse to start.',
  ),
  'service-missing-storage': warning(
    'Missing storage',
    () =>
      'Without `storage` only the embedded service starts. Add it, as in `storage: { type: postgresql, … }`.',
  ),
  'service-invalid-uri': error<{ key: string } & { form: string }>(
    'Invalid connection URI',
    (a) => `\`${a.key}\` must be a URI such as ${a.form}.`,
  ),
  'service-invalid-host': error(
    'Invalid host name',
    () =>
      'Write a host name such as `sync.example.com` or `sync.example.com:8443`, without `https://` and without a path.',
  ),
  'service-ignored-sslmode': warning<{ mode: string }>(
    'sslmode inside a URI',
    (a) => `Services ignore \`sslmode\` in a URI. Write \`sslmode: ${a.mode}\` as a key next to \`uri\`.`,
  ),
  'service-incomplete-connection': error<{ missing: readonly [string, ...string[]] }>(
    'Incomplete connection',
    ({ missing: [first, ...others] }) => {
      const last = others.pop();
      const names = last === undefined ? first : `${[first, ...others].join(', ')} or ${last}`;
      const advice =
        last === undefined ? 'it to `uri`, or as a separate key' : 'them to `uri`, or as separate keys';
      return `This connection has no ${names}. Add ${advice}.`;
    },
  ),
  'service-missing-cacert': error(
    'verify-ca without a certificate',
    () => '`sslmode: verify-ca` needs `cacert`: the certificate authority to trust, as PEM text.',
  ),
  'service-cacert-unused': error(
    'Unused certificate',
    () => 'With `trustServerCertificate: true` no certificate is checked. Remove it, or `cacert`.',
  ),
  'service-literal-secret': warning<{ variable: string }>(
    'Literal secret',
    (a) =>
      `This file contains a secret. Put it into an environment variable and write \`!env ${a.variable}\`.`,
  ),
  'service-sync-config-twice': error(
    'Both sync_rules and sync_config',
    () => '`sync_rules` is only the older name of `sync_config`. Keep one of them.',
  ),
  'service-path-and-content': warning(
    'Both a path and a content',
    () => '`content` has no effect, because there is a `path`. Keep one of them.',
  ),
  'service-no-sync-config': hint<{ tokens: boolean }>(
    'No sync config in the file',
    (a) =>
      `With neither \`path\` nor \`content\`, the sync config is deployed through the API.${
        a.tokens ? '' : ' That needs a token in `api.tokens`.'
      }`,
  ),
  'service-file-not-found': warning<{ path: string }>(
    'File not found',
    (a) => `There is no file \`${a.path}\`, seen from the folder of this one.`,
  ),
  'service-deploy-refused': hint(
    'Service config that refuses deploys',
    () =>
      'The API refuses deploys (SVC_S4105), because this file determines the sync config. Change it here and restart.',
  ),
  'service-no-probes': warning(
    'All probes off',
    () => 'All probes are off, so health checks get 404. Set `use_http: true`, or leave out `probes`.',
  ),
  'service-no-client-keys': warning(
    'Missing client keys',
    () => 'Without a key every token is rejected. Add `jwks_uri` or `jwks`, or use `supabase`.',
  ),
  'service-no-audience': warning(
    'Missing audience',
    () => 'Without an accepted audience every token is rejected (SVC_S2105). List the `aud` of your tokens.',
  ),
  'service-supabase-off': warning(
    'Supabase secret without `supabase: true`',
    () => '`supabase_jwt_secret` has an effect only with `supabase: true`.',
  ),
  'service-secret-not-base64url': warning(
    'Symmetric key is not base64url',
    () => '`k` is base64url: letters, digits, `-` and `_`. Encode a plain-text secret first.',
  ),
  'service-private-key': warning<{ key: string }>(
    'Private key in the key set',
    (a) =>
      `\`${a.key}\` is the private half of the key, which no service needs. Remove it, and replace the key.`,
  ),
} satisfies FindingGroup;
