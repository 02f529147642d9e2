import { describe, test } from 'vitest';
import { expectService } from './service.ts';

describe('the place of the sync config', () => {
  test('is a file that must exist', () => {
    expectService('sync_config: { path: sync.yaml }\n', { exists: () => true });
    expectService('sync_config: { path: sync.yaml }\n', { exists: () => undefined });
    expectService('sync_config: { path: sync.yaml }\n');
    expectService(
      `
      sync_config:
        path: snyc.yaml
      #~      ^^^^^^^^^ warning service-file-not-found "no file \`snyc.yaml\`"
    `,
      { exists: (path) => path !== 'snyc.yaml' },
    );
  });

  test.each(['/config/sync.yaml', "'C:\\config\\sync.yaml'", '!env PS_FILE', '""'])(
    'is not checked if it is %s',
    (path) => {
      expectService(`sync_config: { path: ${path} }\n`, { exists: (asked) => asked === '' });
    },
  );

  test('must be given only once', () => {
    expectService(`
      sync_config:
        path: sync.yaml
      sync_rules:
      #~@0-10 error service-sync-config-twice
      #~@0-10 hint service-deprecated-key
        path: sync.yaml
    `);
  });

  test('is the path if there is also content', () => {
    expectService(`
      sync_config:
        path: sync.yaml
        content: |
      #~^^^^^^^ warning service-path-and-content
          streams: wrong
    `);
  });

  test('is the API if the section has neither a path nor content', () => {
    expectService(`
      sync_config:
      #~@0-11 hint service-no-sync-config "needs a token"
        exit_on_error: false
    `);
    expectService(`
      sync_config: {}
      #~@0-11 hint service-no-sync-config "through the api."
      api: { tokens: [!env PS_TOKEN] }
    `);
  });

  test('cannot be the API if the file names a path', () => {
    expectService(`
      api: { tokens: [!env PS_TOKEN] }
      sync_config:
        path: sync.yaml
      #~^^^^ hint service-deploy-refused "SVC_S4105"
    `);
    expectService(`
      api: { tokens: [] }
      sync_config:
        path: sync.yaml
    `);
  });
});

describe('a sync config inside the file', () => {
  test.each(['|', '|-', '>+', '|2'])('is analysed in a block %s', (header) => {
    expectService(
      [
        'sync_config:',
        `  content: ${header}`,
        '      config: { edition: 3 }',
        '',
        '      streams: {}',
        '',
        '      with: { x: SELECT id FROM tasks }',
        '#~            ^ warning unused-cte',
        '',
      ].join('\n'),
    );
  });

  test('is analysed in quotes', () => {
    expectService(`
      sync_config:
        content: "config: { edition: 3 }\\nstreams: {}\\nwiht: {}"
      #~                                               ^^^^ error unknown-key
    `);
  });

  test('has line numbers of the service config in its messages', () => {
    expectService(`
      sync_config:
        content: |
          config: { edition: 3 }
          streams: {}
          streams: {}
      #~  ^^^^^^^ error yaml-duplicate-key "in line 4."
    `);
  });

  test('is unknown if it comes from the environment', () => {
    expectService('sync_config: { content: !env PS_SYNC_CONFIG }\n');
  });
});
