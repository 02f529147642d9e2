/** Holds the pages to what they describe. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tools } from '../client/agents/tools.ts';
import { anchorOf } from '../scripts/pages/anchor.ts';
import type { ApiParts } from '../server/service/api/parts.ts';
import { apiRoutes } from '../server/service/assembly/routes.ts';
import { manifest } from './support/editor/manifest.ts';
import { root } from './support/house/imports.ts';

const pages = globSync(['*.md', '{docs,examples}/**/*.md'], { cwd: root }).map((path) => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
}));

const textOf = (wanted: string) => pages.find(({ path }) => path === wanted)?.text ?? '';

test('each dependency has its reason, and each reason its dependency', () => {
  const lines = textOf('docs/DEPENDENCIES.md').match(/^- .+$/gm) ?? [];
  const explained = lines.flatMap((line) => line.split(':')[0]?.match(/(?<=`)[^`,]+(?=`)/g) ?? []);
  expect(explained.toSorted()).toEqual(Object.keys(manifest.devDependencies).toSorted());
});

describe('the page on VS Code', () => {
  const page = textOf('docs/VSCODE.md');

  test('lists every setting', () => {
    const listed = [...page.matchAll(/^\| `(headwater\.[\w.]+)` *\|/gm)].map(([, name]) => name);
    expect(listed).toEqual(Object.keys(manifest.contributes.configuration.properties));
  });

  test('lists every command', () => {
    const listed = [...page.matchAll(/^\| (Headwater: [\w ]*\w) *\|/gm)].map(([, title]) => title);
    expect(listed).toEqual(
      manifest.contributes.commands.map(({ category, title }) => `${category}: ${title}`),
    );
  });

  test('says where a command is that the palette does not have', () => {
    const hidden = manifest.contributes.menus.commandPalette.filter(({ when }) => when === 'false');
    const titles = manifest.contributes.commands.filter(({ command }) =>
      hidden.some((each) => each.command === command),
    );
    const unplaced = titles.filter(({ title }) => !new RegExp(`: ${title} *\\| In (a|the) `).test(page));
    expect(unplaced.map(({ title }) => title)).toEqual([]);
  });
});

describe('the README', () => {
  const sectionOf = (path: string, heading: string) =>
    textOf(path)
      .split(/^(?=#{2,3} )/m)
      .find((section) => section.includes(`# ${heading}\n`)) ?? '';

  test('says how to start and test, and leaves building and installing to CONTRIBUTING', () => {
    const install = sectionOf('README.md', 'Install');
    for (const command of ['npm start', 'npm test']) expect(install).toContain(command);
    const clone = sectionOf('CONTRIBUTING.md', 'From a clone');
    for (const command of ['npm run package', '--install-extension', 'npm link']) {
      expect(install).not.toContain(command);
      expect(clone).toContain(command);
    }
  });

  test.each(['I use PowerSync Cloud', 'I host a PowerSync service myself', 'I start new'])(
    'has a door with what works, what does not, and one command: %s',
    (door) => {
      const section = sectionOf('README.md', door);
      expect(section).toMatch(/^Works: /m);
      expect(section).toMatch(/^Does not work: /m);
      expect(section.match(/^```/gm)).toHaveLength(2);
      expect(section).toMatch(/^(?:\$ )?headwater /m);
    },
  );
});

test('every npm script that a page names exists', () => {
  const named = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/`npm (?:run )?([a-z\d:]+)/g)].map(([, name]) => ({ path, name: String(name) })),
  );
  const known = [...Object.keys(manifest.scripts), 'ci', 'install', 'link', 'rebuild'];
  expect(named.filter(({ name }) => !known.includes(name))).toEqual([]);
});

test('CONTRIBUTING or RIGS says what each npm script is for', () => {
  const lists = textOf('CONTRIBUTING.md') + textOf('docs/RIGS.md');
  const explained = [...lists.matchAll(/^(?:\| |- \*\*)`npm (?:run )?([a-z\d:]+)/gm)].map(([, name]) => name);
  expect(explained.toSorted()).toEqual(Object.keys(manifest.scripts).toSorted());
});

test('every link leads to a file, and to a heading of it', () => {
  const links = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, to = '', heading]) => ({
      from: path,
      to: to === '' ? path : join(dirname(path), to),
      heading,
    })),
  );
  const isLost = ({ to, heading }: (typeof links)[number]): boolean =>
    !existsSync(join(root, to)) || (heading !== undefined && !headingsOf(textOf(to)).includes(heading));
  expect(links.filter(isLost)).toEqual([]);
  expect(isLost({ from: 'README.md', to: 'README.md', heading: 'no-such-heading' })).toBe(true);
});

function headingsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => anchorOf(title));
}

test('every picture is on a page, is small, and is taken by the script', () => {
  const shown = pages.flatMap(({ text }) =>
    [...text.matchAll(/pictures\/([\w-]+)\.png/g)].map(([, name]) => name),
  );
  const scenes = ['console', 'workbench']
    .map((part) => readFileSync(join(root, `scripts/pictures/${part}.ts`), 'utf8'))
    .flatMap((text) =>
      [...text.matchAll(/^ {2}'?([\w-]+)'?: (?:\{|async \(page)/gm)].map(([, name]) => name),
    );
  const pictures = globSync('docs/pictures/*.png', { cwd: root });
  expect(pictures.map((path) => basename(path, '.png')).sort()).toEqual([...new Set(shown)].sort());
  expect(scenes.toSorted()).toEqual([...new Set(shown)].sort());
  const most = (path: string) => (path.endsWith('/leak.png') ? 400_000 : 150_000);
  expect(pictures.filter((path) => statSync(join(root, path)).size > most(path))).toEqual([]);
});

test('the list of pages has every page', () => {
  const list = textOf('docs/README.md');
  const listed = ['CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/*.md', { cwd: root })];
  const missing = listed.filter((path) => !list.includes(`(${relative('docs', path)}`));
  expect(missing).toEqual(['docs/README.md']);
});

test('AGENTS lists every tool', () => {
  const listed = [...textOf('docs/AGENTS.md').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(listed).toEqual(tools.map(({ name }) => name));
});

test('ADMIN lists every route of the API', () => {
  const cells = [...textOf('docs/ADMIN.md').matchAll(/^\| (`(?:GET|POST) \/api\/[^|]*)\|/gm)];
  const listed = cells.flatMap(([, cell = '']) => {
    const [first = '', ...others] = [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
    return [first, ...others.map((name) => `${dirname(first)}/${name}`)];
  });
  const routes = apiRoutes({} as ApiParts).map(({ method, path }) => `${method} ${path}`);
  expect(routes.filter((route) => !listed.includes(route))).toEqual([]);
});

test('ARCHITECTURE has a paragraph on every folder', () => {
  const text = textOf('docs/ARCHITECTURE.md');
  const folders = ['client', 'client/cli', 'schemas', 'test', 'scripts', 'examples'];
  const parts = globSync('server/*/', { cwd: root }).map((path) => path.replace(/\/$/, ''));
  expect([...folders, ...parts].filter((folder) => !text.includes(`**\`${folder}/\`**`))).toEqual([]);
});
