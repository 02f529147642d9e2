/**
 * Places outside the project that its service config may use: the user is asked once, the answer is remembered, and the
 * allowed places are passed to the service.
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { World } from '../../../client/cli/world.ts';
import type { Grant, PlaceGrant } from '../../../client/project/trust.ts';
import { headwater, type RunEnd, type Surroundings } from '../../support/cli/cliWorld.ts';

const sync = 'config: { edition: 3 }\nstreams:\n  users: { query: SELECT id FROM users }\n';
const tokens = 'api: { tokens: [one] }\nclient_auth: { jwks: { keys: [] } }\n';
const storage = (path: string): string => `storage: { type: embedded, path: ${path} }\n${tokens}`;
const schema = (path: string): string =>
  `replication: { connections: [{ type: embedded, schema: ${path} }] }\n${tokens}`;

interface Person {
  readonly args?: readonly string[];
  /** The answer at the terminal. */
  readonly says?: boolean;
  readonly granted?: readonly (Grant | PlaceGrant)[];
  /** The targets of links. */
  readonly links?: Readonly<Record<string, string>>;
  readonly files?: Surroundings['files'];
  readonly env?: World['env'];
  readonly userEnv?: World['env'];
  /** The root of the repository. Absent if there is none. */
  readonly repository?: string;
}

interface Met {
  readonly ended: RunEnd;
  readonly questions: readonly string[];
  readonly added: readonly (Grant | PlaceGrant)[];
  /** The places that the service may use. Undefined if it was not started. */
  readonly within: readonly string[] | undefined;
}

async function run(command: string, config: string, person: Person = {}): Promise<Met> {
  const {
    args = [],
    says,
    granted = [],
    links = {},
    files = {},
    env = {},
    userEnv = env,
    repository,
  } = person;
  const questions: string[] = [];
  const added: (Grant | PlaceGrant)[] = [];
  let started: readonly string[] | undefined;
  const ended = await headwater([command, ...args], {
    files: {
      'sync.yaml': sync,
      'service.yaml': config,
      ...(repository && { [join(repository, '.git')]: '' }),
      ...files,
    },
    links,
    env,
    world: {
      userEnv,
      confirm: async (question) => {
        questions.push(question);
        return says;
      },
      grants: {
        path: 'trust.json',
        read: async () => [...granted, ...added],
        add: async (grant) => void added.push(grant),
      },
      startProgram: (_, words) => {
        started = words;
        return { ended: Promise.resolve(0), stop: () => {} };
      },
    },
  });
  const within = started?.filter((_, index) => started?.[index - 1] === '--within');
  return { ended, questions, added, within };
}

const project = { folder: '/project' };

describe.each(['dev', 'serve'])('headwater %s', (command) => {
  test.each<[string, string, Person?]>([
    ['the default folder', tokens],
    ['a folder inside', storage('a/b')],
    ['a folder with dots inside', storage('a/../../project/b')],
    ['scripts inside', schema('[a.sql, db]')],
    ['a link to a place inside', storage('data'), { links: { '/project/data': '/project/other' } }],
    ['a place inside that a variable names', storage('!env PS_PLACE'), { env: { PS_PLACE: 'data' } }],
  ])('asks nothing about %s', async (_, config, person) => {
    const { questions, within } = await run(command, config, person);
    expect({ questions, within }).toEqual({ questions: [], within: ['/project'] });
  });

  test.each<[string, string, string, Person?]>([
    ['data above the project', storage('../victim'), 'storage.path: /victim'],
    ['data in an absolute folder', storage('/home/ada'), 'storage.path: /home/ada'],
    [
      'data behind a link',
      storage('data'),
      'storage.path: /home/ada',
      { links: { '/project/data': '/home/ada' } },
    ],
    [
      'the default folder behind a link',
      storage('.headwater'),
      'storage.path: /home/ada',
      { links: { '/project/.headwater': '/home/ada' } },
    ],
    [
      'data at a place that a variable names',
      storage('!env PS_PLACE'),
      'storage.path: /home/ada',
      { env: { PS_PLACE: '/home/ada' } },
    ],
    ['scripts above the project', schema('../db'), 'schema: /db'],
    ['one of several scripts', schema('[a.sql, /etc/b.sql]'), 'schema: /etc/b.sql'],
  ])('asks about %s, and passes on the answer', async (_, config, line, person = {}) => {
    const place = line.replace(/^\S+ /, '');
    const asked = await run(command, config, { ...person, says: true });
    expect(asked.questions).toHaveLength(1);
    expect(asked.questions[0]).toContain(
      `service.yaml uses places outside of the project (/project):\n  ${line}\n`,
    );
    expect(asked.added).toEqual([{ ...project, place }]);
    expect(asked.within).toEqual(['/project', place]);
    // The same question is not asked again.
    const again = await run(command, config, { ...person, granted: asked.added });
    expect([again.questions, again.within]).toEqual([[], ['/project', place]]);
    // A place without permission is not passed on, so the service refuses it and names it.
    for (const says of [false, undefined]) {
      const refused = await run(command, config, { ...person, ...(says !== undefined && { says }) });
      expect([refused.added, refused.within]).toEqual([[], ['/project']]);
    }
  });

  test('accepts a place that --allow names, and remembers it', async () => {
    const { questions, added, within } = await run(command, storage('../victim'), {
      args: ['--allow', '../victim'],
    });
    expect({ questions, added, within }).toEqual({
      questions: [],
      added: [{ ...project, place: '/victim' }],
      within: ['/project', '/victim'],
    });
  });

  test('does not use a place that was allowed for another project', async () => {
    const granted = [{ folder: '/other', place: '/victim' }];
    expect((await run(command, storage('../victim'), { granted })).within).toEqual(['/project']);
  });

  test('treats the repository around the folder as the project', async () => {
    // The root of the repository is above the working directory.
    const { within } = await run(command, schema('../db'), { repository: '/' });
    expect(within).toEqual(['/']);
  });

  test('does not treat a repository around the home folder as the project', async () => {
    const { within } = await run(command, storage('../victim'), {
      repository: '/',
      userEnv: { HOME: '/project' },
    });
    expect(within).toEqual(['/project']);
  });

  test('does not follow an .env to the service config of another project', async () => {
    const path = { POWERSYNC_CONFIG_PATH: '../other/service.yaml' };
    const files = { '../other/service.yaml': tokens };
    const { ended, within } = await run(command, tokens, { env: path, userEnv: {}, files });
    expect([ended.code, within]).toEqual([2, undefined]);
    expect(ended.err.join('')).toContain('is outside of this project');
    expect((await run(command, tokens, { env: path, files })).within).toBeDefined();
  });
});

test('A name in the question cannot steer the terminal', async () => {
  const { questions } = await run('serve', storage('"/home/\\u001b[2Kada"'), { says: false });
  expect(questions.join('')).toContain('/home/');
  expect(questions.join('')).not.toContain('\u001b');
});

test('Nothing is stored next to the data if that folder is a link out of the project', async () => {
  const links = { '/project/.headwater': '/home/ada' };
  const { ended, within } = await run('dev', 'replication: { connections: [] }', { links });
  expect([ended.code, within]).toEqual([2, undefined]);
  expect(ended.err.join('')).toContain('.headwater points outside of this project, to /home/ada');
  const allowed = await run('dev', 'replication: { connections: [] }', {
    links,
    args: ['--allow', '.headwater'],
  });
  expect(allowed.within).toEqual(['/project', '/home/ada']);
});
