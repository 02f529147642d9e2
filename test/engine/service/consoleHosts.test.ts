import { describe, test } from 'vitest';
import { expectService } from './service.ts';

test.each(['true', 'false', '!env PS_CONSOLE::boolean', '{}', '{ hosts: [] }'])(
  'the console may be %s',
  (console) => {
    expectService(`console: ${console}\n`);
  },
);

test('the console is neither text nor a list', () => {
  expectService(`
    console: "yes"
    #~       ^^^^^ error service-wrong-type "true or false or a map"
  `);
});

describe('a host', () => {
  test.each([
    'sync.example.com',
    'sync.example.com:8443',
    'localhost',
    '10.0.0.5:8080',
    '"[::1]:8080"',
    'grün.example',
    '!env PS_CONSOLE_HOST',
  ])('may be %s', (host) => {
    expectService(`console:\n  hosts:\n    - ${host}\n`);
  });

  test('is neither a URL nor a pattern', () => {
    expectService(`
      console:
        hosts:
          - https://sync.example.com
      #~    ^^^^^^^^^^^^^^^^^^^^^^^^ error service-invalid-host "without \`https://\`"
          - sync.example.com/console
      #~    ^^^^^^^^^^^^^^^^^^^^^^^^ error service-invalid-host
          - "*.example.com"
      #~    ^^^^^^^^^^^^^^^ error service-invalid-host
          - "::1"
      #~    ^^^^^ error service-invalid-host
          - ""
      #~    ^^ error service-invalid-host
    `);
  });

  test('is an item of a list', () => {
    expectService(`
      console:
        hosts: sync.example.com
      #~       ^^^^^^^^^^^^^^^^ error service-wrong-type "a list"
        host: sync.example.com
      #~^^^^ warning service-unknown-key "no such key"
    `);
  });
});
