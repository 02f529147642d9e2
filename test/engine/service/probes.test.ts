import { test } from 'vitest';
import { expectService } from './service.ts';

test.each(['{}', '{ use_http: false }', '{ use_http: false, use_filesystem: false }'])(
  'probes %s are all off',
  (probes) => {
    expectService(`healthcheck:\n  probes: ${probes}\n#~^^^^^^ warning service-no-probes\n`);
  },
);

test.each([
  '{ use_http: true }',
  '{ use_filesystem: true, use_http: false }',
  '{ use_http: !env PS_HTTP::boolean }',
])('probes %s may be on', (probes) => {
  expectService(`healthcheck:\n  probes: ${probes}\n`);
});

test('probes are on without the section', () => {
  expectService('healthcheck: {}\n');
});

test('a mistyped probe is off', () => {
  expectService(`
    healthcheck:
      probes:
    #~^^^^^^ warning service-no-probes
        use_htp: true
    #~  ^^^^^^^ warning service-unknown-key "use_http"
  `);
});
