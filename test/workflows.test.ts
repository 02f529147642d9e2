/** Checks that everything exists that the workflows of GitHub Actions, which do not run here, refer to. */
import { accessSync, constants, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageName } from '../client/cli/init/packageName.ts';
import manifest from '../package.json' with { type: 'json' };
import { tarballPath } from '../scripts/bundles/tarball.ts';
import { vsixPath } from '../scripts/package.ts';
import { root } from './support/house/imports.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

const textOf = (name: string): string => readFileSync(join(root, '.github/workflows', name), 'utf8');
const workflow = (name: string): Workflow => parse(textOf(name)) as Workflow;
const stepsOf = (name: string): readonly Step[] =>
  Object.values(workflow(name).jobs).flatMap(({ steps }) => steps);

/** The part of https://json.schemastore.org/github-workflow.json that these workflows use. */
const texts = { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } };
const permissions = { type: 'object', additionalProperties: { enum: ['read', 'write', 'none'] } };
const step = {
  type: 'object',
  additionalProperties: false,
  properties: {
    name: { type: 'string' },
    if: { type: 'string' },
    uses: { type: 'string' },
    run: { type: 'string' },
    with: texts,
    env: texts,
  },
  oneOf: [{ required: ['uses'] }, { required: ['run'] }],
};
const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'on', 'permissions', 'jobs'],
  properties: {
    name: { type: 'string' },
    on: { type: 'object' },
    permissions,
    concurrency: { type: 'object', required: ['group'] },
    jobs: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        required: ['runs-on', 'timeout-minutes', 'steps'],
        properties: {
          'runs-on': { type: 'string', pattern: '^(ubuntu-\\d+\\.\\d+|windows-\\d+|macos-\\d+)$' },
          'timeout-minutes': { type: 'number' },
          environment: { type: 'string' },
          permissions,
          steps: { type: 'array', items: step },
        },
      },
    },
  },
};

describe.each(['ci.yml', 'publish.yml'])('%s', (name) => {
  test('is a valid workflow, with a time limit and only the named permissions', () => {
    const ajv = new Ajv({ allowUnionTypes: true });
    const isValid = ajv.validate(schema, parse(textOf(name)));
    expect(ajv.errors).toBe(null);
    expect(isValid).toBe(true);
  });

  test('pins each action to a commit, which nobody can change', () => {
    const used = textOf(name).match(/uses: .*/g) ?? [];
    expect(
      used.filter((line) => !/^uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line)),
    ).toEqual([]);
  });

  test('runs only existing scripts, configs and tools', () => {
    const commands = stepsOf(name).flatMap(({ run }) => run?.split('\n') ?? []);
    for (const command of commands) {
      const script = /\bnpm run ([\w:]+)/.exec(command)?.[1];
      if (script !== undefined) expect(Object.keys(manifest.scripts)).toContain(script);
      const config = /--config (\S+)/.exec(command)?.[1];
      if (config !== undefined) accessSync(join(root, config));
      const tool = /\bnpx --no-install (\w+)/.exec(command)?.[1];
      if (tool !== undefined) accessSync(join(root, 'node_modules/.bin', tool), constants.X_OK);
      const foreign = /\bnpx --yes (\S+)/.exec(command)?.[1];
      if (foreign !== undefined) expect(foreign).toMatch(/^(@\w+\/)?\w+@\d+\.\d+\.\d+$/);
      const file = /^\.[\w/]+/.exec(command)?.[0];
      if (file !== undefined) accessSync(join(root, file), constants.X_OK);
    }
  });
});

test('each change is tested by .ci/run', () => {
  expect(Object.keys(workflow('ci.yml').on)).toEqual(['push', 'pull_request']);
  expect(stepsOf('ci.yml').map(({ run }) => run)).toContain('.ci/run');
  expect(textOf('ci.yml')).not.toContain('secrets.');
});

describe('a tag', () => {
  const steps = stepsOf('publish.yml');
  const at = (text: string): number => steps.findIndex(({ run }) => run?.includes(text));

  test('knows its repository when it is packaged, so that links in the README work', () => {
    expect(steps[at('repository.url')]?.run).toContain('https://github.com/$GITHUB_REPOSITORY.git');
    expect(at('repository.url')).toBeLessThan(at('.ci/run'));
  });

  test('is checked and tested before anything is published', () => {
    expect(workflow('publish.yml').on).toEqual({ push: { tags: ['v*'] } });
    const order = ['npm run release', '.ci/run', 'vsce@', 'ovsx@', 'npm publish', 'gh release create'].map(
      at,
    );
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  test('publishes the VSIX that was packaged', () => {
    const pattern = /headwater-\S*\.vsix/.exec(steps[at('vsce@')]?.run ?? '')?.[0] ?? '';
    expect(vsixPath().startsWith(join(root, pattern.split('*')[0] ?? ''))).toBe(true);
  });

  test('publishes the tested package, and attaches it to the release', () => {
    const [name = ''] = basename(tarballPath()).split(/(?<=-)\d/);
    expect(steps[at('npm publish')]?.run).toContain(`npm publish ./${name}*.tgz `);
    expect(steps[at('gh release create')]?.run).toContain(` ${name}*.tgz`);
  });

  test('has only the token of the release, because registries trust the workflow', () => {
    const given = steps.flatMap(({ env = {} }) => Object.values(env));
    expect(given).toEqual([`\${{ github.token }}`]);
    expect(workflow('publish.yml').jobs).toMatchObject({ publish: { permissions: { 'id-token': 'write' } } });
    expect(textOf('publish.yml')).not.toMatch(/secrets\.|_PAT|_TOKEN(?<!GH_TOKEN)|--pat/);
    expect(steps[at('vsce@')]?.run).toContain('--oidc');
    expect(steps[at('ovsx')]?.run).toContain('--trusted-publishing');
    expect(steps[at('npm publish')]?.run).toContain('--provenance');
    expect(steps[at('npm publish')]?.run).toContain(`npm view "${packageName}@`);
  });
});

test.each(['ci.yml', 'publish.yml'])('%s contains no registry address', (name) => {
  expect(textOf(name)).not.toMatch(/registry-url|registry\.|https?:\/\/(?!github\.com)/);
});

test.each(['windows', 'macos'])(
  '%s is tested in addition to Linux, and each step runs on its own',
  (name) => {
    const { steps } = workflow('ci.yml').jobs[name] ?? { steps: [] };
    const runs = steps.flatMap(({ run }) => run ?? []);
    const live = 'npx --no-install vitest run --config vitest.live.config.mts';
    const wanted = ['npm run check', 'npm run build', live, 'npm run test:desktop'];
    expect(runs.filter((run) => wanted.includes(run))).toEqual(wanted);
    const own = steps.slice(steps.findIndex(({ run }) => run === 'npm run check') + 1);
    expect(own.filter((each) => !('if' in each))).toEqual([]);
  },
);
