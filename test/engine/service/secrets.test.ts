import { describe, test } from 'vitest';
import { expectService } from './service.ts';

describe('a secret in the file', () => {
  test('is a warning that names a variable', () => {
    expectService(`
      replication:
        connections:
          - type: postgresql
            uri: postgresql://me:secret@localhost/app
      #~         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning service-literal-secret "!env PS_URI"
      storage:
        type: postgresql
        uri: postgresql://me@localhost/storage
        password: "secret"
      #~          ^^^^^^^^ warning service-literal-secret "!env PS_PASSWORD"
      api:
        tokens:
          - secret
      #~    ^^^^^^ warning service-literal-secret "!env PS_TOKENS"
          - !env PS_TOKEN
      client_auth:
        audience: [app]
        jwks:
          keys:
            - kty: oct
              alg: HS256
              k: c2VjcmV0
      #~         ^^^^^^^^ warning service-literal-secret "!env PS_K"
    `);
  });

  test('is also reported for a storage that the embedded service does not run', () => {
    expectService(`
      storage:
        type: mongodb
      #~      ^^^^^^^ warning service-not-embedded
        uri: mongodb://me:secret@localhost/storage
      #~     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning service-literal-secret
        object_storage:
          type: s3
          secret_access_key: secret
      #~                     ^^^^^^ warning service-literal-secret
    `);
  });

  test('is not reported if it comes from the environment or is empty', () => {
    expectService(`
      storage:
        type: postgresql
        uri: postgresql://me:@localhost/storage
        password: !env PS_PASSWORD
        client_private_key: ""
    `);
  });
});
