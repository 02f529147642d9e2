/** Compares package.json with the code: everything that is declared exists, and everything that exists is declared. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import raw from '../package.json' with { type: 'json' };
import lock from '../package-lock.json' with { type: 'json' };
import { bundles } from '../scripts/bundles/bundles.ts';
import { catalogue } from '../server/engine/diagnostics/diagnostics.ts';
import { settingNames } from '../server/lsp/workspace/settings.ts';
import { session, unreachable } from './support/editor/commandSession.ts';
import { manifest } from './support/editor/manifest.ts';
import { root, type Source, sourcesIn } from './support/house/imports.ts';

const client = sourcesIn('client');
const product = [...client, ...sourcesIn('server')];

const { commands, configuration } = manifest.contributes;
const settings: Readonly<
  Record<string, { readonly default?: unknown; readonly markdownDescription: string }>
> = configuration.properties;

describe('commands', () => {
  test('are exactly those of the table', () => {
    const tables = ['client/vscode/commands/index.ts', 'client/vscode/commands/services.ts']
      .map(textOf)
      .join('\n');
    const rows = tables.matchAll(/^ {2}'(headwater\.\w+)':/gm);
    expect(sorted([...rows].map(([, id]) => id))).toEqual(sorted(commands.map(({ command }) => command)));
  });

  test('are registered only by the table', () => {
    expect(client.filter(({ text }) => /\bregister(TextEditor)?Command\(/.test(text)).map(pathOf)).toEqual([
      'client/vscode/commands/index.ts',
    ]);
  });

  test('are all run in the session of a user of a screen reader, up to their final results', () => {
    const followed = [...session.alone, ...session.held].map(({ command }) => command);
    const excused = Object.keys(unreachable);
    const advice =
      'Add the answers and the result of the new command to commandSession.ts, or the reason why no rig reaches its result.';
    expect(sorted([...new Set(followed), ...excused]), advice).toEqual(
      sorted(commands.map(({ command }) => command)),
    );
  });

  test('are at most 24 in the palette, have one category, and are in title case', () => {
    // Commands that the user interface offers where they are useful, and commands that exist only in some states.
    const elsewhere = manifest.contributes.menus.commandPalette.filter(
      ({ when }) => when === 'false' || /headwater\.(?:health|local)|resourceLangId/.test(when),
    );
    const advice = 'Offer the new command in a menu, where it is useful, and hide it in the palette.';
    expect(commands.length - elsewhere.length, advice).toBeLessThanOrEqual(24);
    expect([...new Set(commands.map(({ category }) => category))]).toEqual(['Headwater']);
    expect(
      commands.filter(({ title }) => !/^[A-Z]\w*( ([A-Z]\w*|as|on|or|with|psql))*$/.test(title)),
    ).toEqual([]);
  });
});

test('The code sets exactly the context keys that conditions use', () => {
  const conditions = [...JSON.stringify(manifest).matchAll(/"(?:when|enablement)":"((?:[^"\\]|\\.)*)"/g)].map(
    ([, condition = '']) => condition.replaceAll(/\b(?:view == |config\.)headwater\.\w+/g, ''),
  );
  const events = [...JSON.stringify(manifest).matchAll(/"onContext:([^"]+)"/g)].map(
    ([, event = '']) => event,
  );
  const used = [...conditions, ...events].flatMap((text) =>
    [...text.matchAll(/\bheadwater\.(\w+)/g)].map(([, key = '']) => key),
  );
  const set = [...textOf('client/vscode/contextKeys.ts').matchAll(/\bset\('(\w+)'/g)].map(([, key]) => key);
  expect([...new Set([...set, 'step'])].toSorted()).toEqual([...new Set(used)].toSorted());
});

test('Each step of the walkthrough is completed by an event with its name', () => {
  const steps = manifest.contributes.walkthroughs.flatMap(({ steps }) => steps);
  const ticked = [...textOf('client/vscode/contextKeys.ts').matchAll(/\.tick\('(\w+)'/g)].map(
    ([, name]) => name,
  );
  expect(steps.map(({ id }) => id).toSorted()).toEqual([...new Set(ticked)].toSorted());
  for (const { id, completionEvents } of steps)
    expect(completionEvents).toContain(`onContext:headwater.step == ${id}`);
});

describe('settings', () => {
  /** Read by the client library itself, under the id of the language server. */
  const readByLibrary = ['trace.server'];

  test('are exactly those that the code reads', () => {
    const read = client.flatMap(({ text }) => [...text.matchAll(/settings\.(?:get|inspect)\('([\w.]+)'/g)]);
    const names = new Set([...read.map(([, name]) => name), ...settingNames, ...readByLibrary]);
    expect(sorted([...names].map((name) => `headwater.${name}`))).toEqual(sorted(Object.keys(settings)));
  });

  /**
   * The scope of each setting that is not one of the window, with its reason. `targets` and `allowDeployTo` have that of the
   * window: with `machine-overridable`, a window that is connected to another machine would ignore what the user has set.
   */
  const scopes: Readonly<Record<string, readonly [scope: string, reason: string]>> = {
    'headwater.local.port': ['machine-overridable', 'A port may be taken on another machine.'],
    'headwater.local.dataDirectory': ['machine-overridable', 'A path exists on one machine.'],
    'headwater.schema.file': ['resource', 'Each folder may have its own snapshot.'],
  };

  test('have the scope of their meaning', () => {
    const declared = Object.entries(configuration.properties).map(([name, { scope }]) => [name, scope]);
    expect(declared).toEqual(declared.map(([name = '']) => [name, scopes[name]?.[0] ?? 'window']));
    expect(Object.keys(scopes).filter((name) => !(name in settings))).toEqual([]);
  });

  test('that name services or folders apply only in trusted workspaces', () => {
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    const reaching = Object.keys(settings).filter((name) =>
      /\.(targets|allowDeployTo|local\.(?!port))/.test(name),
    );
    expect(sorted(restrictedConfigurations)).toEqual(sorted(reaching));
  });

  test('are read in one place in the client and in one place in the server', () => {
    expect(product.filter(({ text }) => text.includes('getConfiguration(')).map(pathOf)).toEqual([
      'client/vscode/settings.ts',
      'server/lsp/workspace/settings.ts',
    ]);
  });

  test('are at most 13, each with a default and a description', () => {
    const advice = 'Find a default that suits everybody, or replace a setting that few people need.';
    expect(Object.keys(settings).length, advice).toBeLessThanOrEqual(13);
    for (const setting of Object.values(settings)) {
      expect(setting.default).toBeDefined();
      expect(setting.markdownDescription).toMatch(/^[A-Z].+\.$/s);
    }
  });
});

test.each(['', '.de', '.es'])(
  'Settings that descriptions mention are links to existing settings (package.nls%s.json)',
  (language) => {
    const sentences = Object.entries(
      JSON.parse(textOfFile(`package.nls${language}.json`)) as Record<string, string>,
    ).filter(([key]) => key.startsWith('setting.'));
    const mentioned = sentences.flatMap(([, text]) => text.match(/#?headwater(?:\.\w+)+#?/g) ?? []);
    expect(mentioned).toContain('#headwater.schema.file#');
    expect(
      mentioned.filter((name) => !(name.replace(/^#(.+)#$/, '$1') in settings) || !name.startsWith('#')),
    ).toEqual([]);
  },
);

test('A version before 1 is a preview, and the addresses of the repository, its issues and its page come together', () => {
  expect(raw.preview).toBe(raw.version.startsWith('0.'));
  const addresses = ['repository', 'bugs', 'homepage'].filter((key) => key in raw);
  expect([0, 3]).toContain(addresses.length);
});

test('Each tool for models has a description for people, and its own icon', () => {
  const tools = manifest.contributes.languageModelTools;
  expect(tools.filter(({ userDescription }) => !/^[A-Z][^%]+\.$/.test(userDescription))).toEqual([]);
  expect(new Set(tools.map(({ icon }) => icon)).size).toBe(tools.length);
});

test('The severity of every code can be changed, and editors complete the codes', () => {
  const { propertyNames } = configuration.properties['headwater.diagnostics.severity'];
  expect(propertyNames.enum).toEqual(Object.keys(catalogue).toSorted());
});

describe('notifications', () => {
  test('are shown only from these places', () => {
    const calls = /\bshow(Error|Warning|Information)Message\b/;
    const places = product.filter(({ text }) => calls.test(text)).map(({ path }) => path);
    expect(sorted(places)).toEqual([
      // Before a deploy or a reprocess anywhere but locally, for failures, and for screen readers.
      'client/vscode/commands/telling.ts',
      // The language server is not running.
      'client/vscode/language.ts',
      // The local service crashed twice.
      'client/vscode/localService.ts',
      // Before a token is sent to an address that only a file of the workspace names.
      'client/vscode/targets/tokens.ts',
    ]);
  });

  test('of the language protocol are not used', () => {
    const talkative = product.filter(
      ({ path, text }) => path.startsWith('server/') && /\.window\.show/.test(text),
    );
    expect(talkative.map(pathOf)).toEqual([]);
  });
});

describe('files', () => {
  test('that package.json names are built', () => {
    const built = bundles.map(({ out }) => `dist/${out}`);
    const named = [manifest.main, manifest.browser, ...Object.values(manifest.bin)];
    expect(named.map((path) => path.replace(/^\.\//, '')).filter((path) => !built.includes(path))).toEqual(
      [],
    );
  });

  test('with grammars exist, and have the declared scopes', () => {
    const read = manifest.contributes.grammars.map(({ path }) => readFileSync(join(root, path), 'utf8'));
    expect(read.map((text) => (JSON.parse(text) as { scopeName: string }).scopeName)).toEqual(
      manifest.contributes.grammars.map(({ scopeName }) => scopeName),
    );
  });

  test('with grammars colour keywords like the language server, so that no colour changes when it answers', () => {
    const [own] = raw.contributes.semanticTokenScopes;
    const read = manifest.contributes.grammars.map(({ path }) => readFileSync(join(root, path), 'utf8'));
    const inGrammars = read.flatMap((text) =>
      [...text.matchAll(/"name": "([\w.]+)"/g)].map(([, name]) => name),
    );
    expect(own?.language).toBe('yaml');
    expect(inGrammars).toEqual(expect.arrayContaining(own?.scopes.keyword ?? ['none']));
  });

  test('that run inside VS Code are packaged, and no others', () => {
    const packaged = textOfFile('.vscodeignore').match(/^!dist\/.+$/gm) ?? [];
    const built = [
      ...bundles.map(({ out }) => `!dist/${out}`),
      '!dist/console/console.css',
      '!dist/console/index.html',
      '!dist/pglite/*',
      '!dist/THIRD-PARTY-NOTICES.txt',
    ];
    expect(sorted(packaged)).toEqual(sorted(built));
  });

  test('that problem codes link to are packaged, and are shown as rendered pages', () => {
    const { publisher, name, contributes } = manifest;
    expect(textOfFile('.vscodeignore')).toContain('\n!docs/errors/*.md\n!docs/rules/*.md\n');
    expect(contributes.configurationDefaults['workbench.editorAssociations']).toEqual({
      [`**/${publisher}.${name}-*/docs/{errors,rules}/*.md`]: 'vscode.markdown.preview.editor',
    });
  });

  test('that menus, views and steps name exist', () => {
    const { menus, walkthroughs } = manifest.contributes;
    const known = new Set(commands.map(({ command }) => command));
    const named = Object.values(menus).flatMap((rows) => rows.map(({ command }) => command));
    expect(named.filter((command) => !known.has(command))).toEqual([]);
    const steps = walkthroughs.flatMap((walkthrough) => walkthrough.steps);
    expect(steps.map(({ media }) => media.markdown).filter((path) => !existsSync(join(root, path)))).toEqual(
      [],
    );
    const links = JSON.stringify(manifest).matchAll(/\(command:([\w.]+)\)/g);
    const ofEditor = new Set(['workbench.trust.manage', 'vscode.openFolder']);
    const linked = [...links].map(([, command = '']) => command);
    expect(linked.filter((command) => !known.has(command) && !ofEditor.has(command))).toEqual([]);
  });

  test('behind the npm scripts exist', () => {
    const missing = Object.entries(manifest.scripts).filter(([, command]) => {
      const name = /^node scripts\/bootstrap\.mjs ([\w/]+)$/.exec(command)?.[1];
      return name === undefined || !existsSync(join(root, `scripts/${name}.ts`));
    });
    expect(missing).toEqual([]);
  });
});

test('the code is checked against the types of the oldest supported VS Code', () => {
  const minor = (range: string) => Number(/^[\^~]?1\.(\d+)\./.exec(range)?.[1]);
  expect(minor(manifest.devDependencies['@types/vscode'])).toBe(minor(manifest.engines.vscode));
});

test('package-lock.json has all platforms, so that npm ci works on each', () => {
  const packages = Object.values(
    lock.packages as Readonly<Record<string, { optionalDependencies?: object }>>,
  );
  const wanted = packages.flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies));
  const locked = Object.keys(lock.packages).map((path) => path.replace(/.*node_modules\//, ''));
  expect(wanted.filter((name) => !locked.includes(name))).toEqual([]);
});

function textOfFile(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function textOf(wanted: string): string {
  return product.find(({ path }) => path === wanted)?.text ?? '';
}

function pathOf({ path }: Source): string {
  return path;
}

function sorted(names: readonly (string | undefined)[]): readonly (string | undefined)[] {
  return [...names].sort();
}

test('the package contains the icon and the pictures of the walkthrough: VS Code fetches others from the repository', () => {
  const pictures = globSync('walkthrough/**/*.md', { cwd: root }).flatMap((path) =>
    [...textOfFile(path).matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, place = '']) =>
      join(dirname(path), place),
    ),
  );
  expect(pictures.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const packaged = textOfFile('.vscodeignore').match(/^!.*\.png$/gm) ?? [];
  const paths = packaged.flatMap((line) => globSync(line.slice(1), { cwd: root }));
  expect(paths.toSorted()).toEqual([...new Set([manifest.icon, ...pictures])].toSorted());
});

test('the icon is a picture of 256 pixels, which the package contains', () => {
  const icon = readFileSync(join(root, manifest.icon));
  expect(icon.subarray(1, 4).toString()).toBe('PNG');
  expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([256, 256]);
  expect(readFileSync(join(root, '.vscodeignore'), 'utf8')).toContain(`!${manifest.icon}\n`);
});
