import { describe, test } from 'vitest';
import { expectService } from './service.ts';

describe('the audience', () => {
  test('must not be missing', () => {
    expectService(`
      client_auth:
      #~@0-11 warning service-no-audience "SVC_S2105"
        jwks_uri: https://auth.example.com/keys
    `);
  });

  test('must not be empty', () => {
    expectService(`
      client_auth:
        jwks_uri: https://auth.example.com/keys
        audience: []
      #~^^^^^^^^ warning service-no-audience
    `);
  });

  test('is fixed with Supabase', () => {
    expectService('client_auth: { supabase: true, supabase_jwt_secret: !env PS_SECRET }\n');
    expectService('client_auth: { supabase: !env PS_SUPABASE::boolean }\n');
  });
});

describe('keys', () => {
  test('must have a source', () => {
    expectService(`
      client_auth:
      #~@0-11 warning service-no-client-keys
        audience: [app]
    `);
    expectService(`
      client_auth:
      #~@0-11 warning service-no-client-keys
        jwks_uri: []
        audience: [app]
    `);
  });

  test('of Supabase need `supabase: true`', () => {
    expectService(`
      client_auth:
        supabase: false
        supabase_jwt_secret: !env PS_SECRET
      #~^^^^^^^^^^^^^^^^^^^ warning service-supabase-off
        jwks_uri: https://auth.example.com/keys
        audience: [app]
    `);
  });

  test('are fetched over HTTP', () => {
    expectService(`
      client_auth:
        audience: [app]
        jwks_uri:
          - http://localhost:3000/keys
          - ftp://auth.example.com/keys
      #~    ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error service-invalid-uri
          - auth.example.com
      #~    ^^^^^^^^^^^^^^^^ error service-invalid-uri "https://"
          - !env PS_JWKS_URI
    `);
  });

  test('need the fields of their kind', () => {
    expectService(`
      client_auth:
        audience: [app]
        jwks:
          keys:
            - kty: RSA
      #~      ^^^ error service-missing-key "this item of \`keys\` needs \`kid\` and \`n\`"
              e: AQAB
            - kty: EC
      #~      ^^^ error service-missing-key "\`y\`"
              crv: P-128
      #~           ^^^^^ error service-unknown-value "P-256, P-384 or P-521"
              x: abc
              alg: ES256
            - kty: OKP
              crv: Ed25519
              x: abc
              alg: EdDSA
            - kty: oct
              k: !env PS_KEY
              alg: RS256
      #~           ^^^^^ error service-unknown-value "HS256, HS384 or HS512. did you mean \`HS256\`"
            - kty: rsa
      #~           ^^^ error service-unknown-value "RSA, oct, OKP or EC. did you mean \`RSA\`"
            - kid: a
      #~      ^^^ error service-missing-key "\`kty\`"
    `);
  });

  test('that are symmetric must be base64url', () => {
    expectService(`
      client_auth:
        audience: [app]
        jwks:
          keys:
            - kty: oct
              alg: HS256
              k: my secret!
      #~         ^^^^^^^^^^ warning service-literal-secret
      #~         ^^^^^^^^^^ warning service-secret-not-base64url
    `);
  });

  test('that are private do not belong here', () => {
    expectService(`
      client_auth:
        audience: [app]
        jwks:
          keys:
            - kty: OKP
              crv: Ed25519
              x: abc
              alg: EdDSA
              d: private
      #~      ^ warning service-private-key
    `);
  });
});
