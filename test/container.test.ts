/** Compares the Dockerfile and the compose example with each other, and with the build. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { bundles } from '../scripts/bundles/bundles.ts';
import { root } from './support/house/imports.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const dockerfile = read('Dockerfile');
const example = (name: string): string => read(join('examples/compose', name));

interface Check {
  readonly test: readonly string[];
  readonly interval: string;
  readonly timeout: string;
  readonly retries: number;
}

interface Container {
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly healthcheck: Check;
  readonly restart: string;
  readonly stop_grace_period?: string;
}

const compose = parse(example('compose.yaml')) as {
  readonly services: Readonly<Record<'service' | 'database', Container>>;
};

describe('the Dockerfile', () => {
  test('runs programs that npm publishes', () => {
    const programs = [...dockerfile.matchAll(/\/opt\/headwater\/(dist\/\w+\.js)/g)].map(([, path]) => path);
    expect([...new Set(programs)]).toEqual(['dist/cli.js', 'dist/service.js']);
    for (const program of programs) {
      expect(bundles.map(({ out }) => `dist/${out}`)).toContain(program);
      expect(read('.npmignore').split('\n')).toContain(`!/${program}`);
    }
  });

  test('checks liveness as the compose example does', () => {
    const { test: command, interval, timeout, retries } = compose.services.service.healthcheck;
    expect(dockerfile).toContain(
      `HEALTHCHECK --interval=${interval} --timeout=${timeout} --retries=${retries} CMD ${JSON.stringify(command.slice(1)).replaceAll(',', ', ')}\n`,
    );
  });

  test('runs as a user without rights, on the Node that is pinned', () => {
    expect(dockerfile).toMatch(/^USER node$/m);
    const { version } = JSON.parse(read('node_modules/node/package.json')) as { version: string };
    const majors = [...dockerfile.matchAll(/^FROM node:(\d+)/gm)].map(([, major]) => major);
    expect(majors).toEqual([version.split('.')[0], version.split('.')[0]]);
  });

  test('takes its config from where the service looks for it', () => {
    expect(dockerfile).toContain('POWERSYNC_CONFIG_PATH=/config/service.yaml');
    expect(example('compose.yaml')).toContain('./service.yaml:/config/service.yaml:ro');
  });
});

describe('the compose example', () => {
  test('gives the service 15 tries of 1 s, every 5 s, and starts it again', () => {
    expect(compose.services.service).toMatchObject({
      healthcheck: { test: ['CMD', 'headwater', 'probe'], interval: '5s', timeout: '1s', retries: 15 },
      restart: 'unless-stopped',
    });
  });

  test('leaves the service more time to stop than it takes', () => {
    const limit = /longestStop = (\d+)_000/.exec(read('server/service/commands/start.ts'))?.[1];
    const patience = compose.services.service.stop_grace_period?.replace('s', '');
    expect(Number(patience)).toBeGreaterThan(Number(limit));
  });

  test('runs a database whose log can be decoded', () => {
    expect(compose.services.database.command).toEqual(['postgres', '-c', 'wal_level=logical']);
  });

  test('passes every variable of the service config', () => {
    const used = [...example('service.yaml').matchAll(/!env (\w+)/g)].map(([, name]) => name);
    expect(Object.keys(compose.services.service.environment).toSorted()).toEqual(used.toSorted());
  });

  test('lists every variable of its own in .env.example, and has no secret', () => {
    const used = [...example('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
    const listed = [...example('.env.example').matchAll(/^(\w+)=(.*)$/gm)];
    expect(listed.map(([, name]) => name).toSorted()).toEqual([...new Set(used)].toSorted());
    expect(listed.filter(([, , value]) => value !== '')).toEqual([]);
  });
});
