/**
 * Checks that the code follows docs/ARCHITECTURE.md: which parts may import which, and that the engine and the features are
 * pure.
 */
import { basename } from 'node:path';
import { transformSync } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { bundles } from '../scripts/bundles/bundles.ts';
import { reachableFrom, type Source, sourcesIn } from './support/house/imports.ts';
import { knownSourceWords } from './support/house/knownSourceWords.ts';
import { roomOf, rooms, roomsWithDoor } from './support/house/rooms.ts';
import { countSourceWords, knowsPostgres, sourceWordsIn } from './support/house/sourceWords.ts';

/** The imports that a part may have in addition to those in `support/house/rooms.ts`. The first match applies. */
const borders: readonly { readonly part: RegExp; readonly mayImport: RegExp }[] = [
  {
    part: /^server\/(engine|features)\//,
    mayImport: /^(schemas\/|server\/shared\/(absenceWords|listNames|uri)\.ts$)/,
  },
  {
    part: /^server\/lsp\/node\.ts$/,
    mayImport: /^server\/shared\/(claimJudge|temporaryDatabases|uri)\.ts$/,
  },
  {
    part: /^server\/lsp\//,
    mayImport: /^(server\/(protocol|shared\/(places|uri|files|envText|turns))\.ts|package\.json)$/,
  },
  {
    part: /^server\/service\/(commands|assembly)\//,
    mayImport: /^(server\/shared\/(commandLine|uri|files)\.ts|package\.json)$/,
  },
  { part: /^server\/service\//, mayImport: /^server\/shared\/(uri|files|envText|turns|userName)\.ts$/ },
  { part: /^server\/shared\/claimJudge\.ts$/, mayImport: /^server\/engine\/index\.ts$/ },
  {
    part: /^server\/shared\/temporaryDatabases\.ts$/,
    mayImport: /^server\/(engine\/index|service\/replication\/rehearsal\/index)\.ts$/,
  },
  {
    part: /^server\/shared\/rehearsal\.ts$/,
    mayImport: /^server\/service\/replication\/rehearsal\/(index|rehearse)\.ts$/,
  },
  { part: /^server\/shared\/gitignore\.ts$/, mayImport: /^server\/shared\/uri\.ts$/ },
  { part: /^server\/shared\/files\.ts$/, mayImport: /^server\/shared\/(uri|places|gitignore)\.ts$/ },
  {
    part: /^server\/(protocol|shared\/(absenceWords|listNames|places|commandLine|uri|envText|turns))\.ts$/,
    mayImport: /^$/,
  },
  {
    part: /^client\/cli\/(index\.ts$|commands\/)/,
    mayImport:
      /^(client\/(cli|api|project|deploying|health|clientSchema)\/|client\/agents\/session\.ts$|server\/shared\/(absenceWords|places|commandLine|uri|files|claimJudge)\.ts$|server\/engine\/index\.ts$|server\/features\/formatting\/formatting\.ts$|client\/(drawTable|duration)\.ts$)/,
  },
  {
    part: /^client\/cli\/agents\//,
    mayImport:
      /^(client\/cli\/(?!commands\/)|client\/agents\/judge\.ts$|client\/api\/|server\/engine\/index\.ts$|server\/features\/judging\/judging\.ts$|server\/shared\/uri\.ts$|package\.json$)/,
  },
  {
    part: /^client\/cli\//,
    mayImport:
      /^(client\/cli\/(?!commands\/)|client\/(api|project|deploying|health)\/|server\/shared\/(places|commandLine|uri|files|envText|rehearsal|temporaryDatabases)\.ts$|server\/engine\/index\.ts$|server\/features\/(starter|starterTests|review|actions\/sureFixes)\.ts$|server\/protocol\.ts$|client\/(compareLines|drawTable|duration)\.ts$|package\.json$)/,
  },
  { part: /^client\/clientSchema\//, mayImport: /^(client\/clientSchema\/|server\/protocol\.ts$)/ },
  { part: /^client\/api\//, mayImport: /^(client\/(api\/|l10n\.ts$)|server\/shared\/absenceWords\.ts$)/ },
  {
    part: /^client\/project\//,
    mayImport:
      /^(client\/((api|project)\/|l10n\.ts$)|server\/shared\/(places|uri|envText|files|userName)\.ts$)/,
  },
  {
    part: /^client\/health\//,
    mayImport: /^(client\/((api|health|local)\/|(l10n|duration)\.ts$)|server\/shared\/uri\.ts$)/,
  },
  {
    part: /^client\/deploying\//,
    mayImport: /^(client\/((api|health|deploying)\/|l10n\.ts$)|server\/protocol\.ts$)/,
  },
  { part: /^client\/agents\//, mayImport: /^client\/agents\// },
  {
    part: /^client\/console\//,
    mayImport:
      /^(client\/((console|api)\/|health\/(amounts|clock|health|poller|states|tableState)\.ts$|deploying\/(history|historyWords)\.ts$|(compareLines|duration)\.ts$)|server\/shared\/(absenceWords|listNames)\.ts$)/,
  },
  {
    part: /^client\/preview\//,
    mayImport: /^client\/((api|health|project|preview)\/|(l10n|drawTable)\.ts$)/,
  },
  {
    part: /^client\/local\/keeper\.ts$/,
    mayImport: /^(client\/local\/|client\/project\/childProcess\.ts$|server\/shared\/(files|turns)\.ts$)/,
  },
  { part: /^client\/local\//, mayImport: /^client\/((api|local|project)\/|l10n\.ts$)/ },
  {
    part: /^client\/vscode\//,
    mayImport:
      /^(client\/(vscode|api|project|health|deploying|preview|local|clientSchema)\/|client\/agents\/client\.ts$|client\/console\/link\/messages\.ts$|client\/l10n\.ts$|server\/(protocol|shared\/(places|uri|turns))\.ts$)/,
  },
];

/** The external packages and modules that each part may import. */
const outside: readonly { readonly part: RegExp; readonly mayImport: RegExp }[] = [
  { part: /^server\/engine\/yaml\//, mayImport: /^yaml$/ },
  { part: /^server\/(engine|features)\//, mayImport: /^$/ },
  {
    part: /^server\/lsp\/(node|host\/disk|host\/environment)\.ts$/,
    mayImport: /^(vscode-languageserver|node:)/,
  },
  { part: /^server\/lsp\//, mayImport: /^vscode-languageserver/ },
  { part: /^server\/shared\/(files|claimJudge|envText)\.ts$/, mayImport: /^node:/ },
  {
    part: /^server\/service\//,
    mayImport: /^(node:|(bson|jose|pg|ws|yaml)$|@electric-sql\/pglite$)/,
  },
  { part: /^client\/cli\/sql\//, mayImport: /^pg$/ },
  { part: /^client\/cli\//, mayImport: /^node:/ },
  { part: /^client\/api\//, mayImport: /^(undici|node:tls)$/ },
  { part: /^client\/project\//, mayImport: /^(node:|yaml$)/ },
  { part: /^client\/local\//, mayImport: /^node:/ },
  { part: /^client\/drawTable\.ts$/, mayImport: /^fast-string-truncated-width$/ },
  { part: /^client\/agents\/client\.ts$/, mayImport: /^node:/ },
  { part: /^client\/agents\//, mayImport: /^$/ },
  {
    part: /^client\/console\//,
    mayImport: /^(preact(\/.*)?|@preact\/signals|uplot(\/dist\/uPlot\.min\.css)?)$/,
  },
  { part: /^client\/vscode\/(local[A-Z]\w+|connections|targets\/\w+)\.ts$/, mayImport: /^(node:|vscode$)/ },
  { part: /^client\/vscode\//, mayImport: /^vscode(-languageclient(\/.*)?)?$/ },
];

/** Globals that would make a result depend on more than its arguments, or that have side effects. */
const impure = [
  ...['console', 'process', 'require', 'fetch', 'crypto', 'performance', 'globalThis', 'self', 'window'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'Date.now', 'Math.random'],
];

const product = [...sourcesIn('client'), ...sourcesIn('server')];

describe('imports', () => {
  test('go only in the allowed directions', () => {
    expect(product.flatMap(wrongImportsOf)).toEqual([]);
  });

  test.each([
    ['server/engine/sql/parser/parser.ts', 'server/engine/model/scope.ts'],
    ['server/engine/plan/compile/select.ts', 'server/engine/plan/evaluate/evaluate.ts'],
    ['server/engine/yaml/read.ts', 'node:fs'],
    ['server/engine/checks/index.ts', 'server/engine/index.ts'],
    ['server/features/hover.ts', 'vscode-languageserver'],
    ['server/lsp/node.ts', 'client/vscode/settings.ts'],
    ['server/service/ground/errors.ts', 'server/service/storage/storageFailure.ts'],
    ['server/service/http/dispatch.ts', 'server/service/storage/damage.ts'],
    ['server/service/storage/storage.ts', 'server/service/replication/source.ts'],
    ['server/service/replication/jobs/job.ts', 'server/service/replication/postgres/slots.ts'],
    ['server/service/sync/sync.ts', 'server/service/api/status.ts'],
    ['server/service/api/status.ts', 'server/features/hover/hover.ts'],
    ['client/vscode/extension.ts', 'server/engine/text/span.ts'],
    ['client/vscode/extension.ts', 'client/cli/index.ts'],
    ['client/cli/commands/validate.ts', 'server/engine/text/span.ts'],
    ['client/cli/instance.ts', 'client/cli/commands/status.ts'],
    ['client/cli/commands/status.ts', 'client/vscode/services.ts'],
    ['client/project/link.ts', 'vscode'],
    ['client/deploying/flow.ts', 'vscode'],
    ['client/health/health.ts', 'vscode'],
    ['client/local/keeper.ts', 'vscode'],
    ['client/agents/tools.ts', 'client/cli/index.ts'],
    ['client/agents/budget.ts', 'node:fs'],
    ['client/project/link.ts', 'client/deploying/flow.ts'],
    ['client/console/main.tsx', 'client/vscode/services.ts'],
    ['client/console/main.tsx', 'client/project/link.ts'],
    ['client/console/main.tsx', 'node:fs'],
    ['client/console/main.tsx', 'vscode'],
    ['client/new/room.ts', 'client/l10n.ts'],
  ])('are reported if they are not allowed: %s → %s', (path, imported) => {
    expect(wrongImportsOf({ path, text: '', imports: [imported] })).toEqual([`${path} → ${imported}`]);
  });

  test('of a room go only to rooms above it in the table', () => {
    const names = [...rooms.keys()];
    const wrong = names.flatMap((room, index) =>
      (rooms.get(room) ?? [])
        .filter((other) => !names.slice(0, index).includes(other))
        .map((other) => [room, other]),
    );
    expect(wrong).toEqual([]);
  });

  test.each(roomsWithDoor)('into %s go only to its entrance file', (room) => {
    const door = `${room}/${basename(room)}.ts`;
    const others = product.filter(({ path }) => !path.startsWith(`${room}/`));
    const wrong = others.flatMap(({ path, imports }) =>
      imports.filter((to) => to.startsWith(`${room}/`) && to !== door).map((to) => `${path} → ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  test('use every direction that the table allows', () => {
    const used = new Set(
      product.flatMap(({ path, imports }) => imports.map((to) => `${roomOf(path)} → ${roomOf(to)}`)),
    );
    const arrows = [...rooms].flatMap(([room, others]) => others.map((other) => `${room} → ${other}`));
    expect(arrows.filter((arrow) => !used.has(arrow))).toEqual([]);
  });

  test('reach every file of the product, from a bundle or from a test', () => {
    const tests = sourcesIn('test');
    const entries = [...bundles.map(({ entry }) => entry), ...tests.map(({ path }) => path)];
    const reached = reachableFrom(entries, [...product, ...tests, ...sourcesIn('scripts')]);
    expect(product.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([]);
  });

  test('of the product never reach tests or scripts', () => {
    const reached = reachableFrom(
      bundles.map(({ entry }) => entry),
      product,
    );
    expect([...reached].filter((path) => /^(test|scripts)\//.test(path))).toEqual([]);
  });
});

describe('URIs and paths', () => {
  test('are parsed and built only in server/shared/uri.ts', () => {
    expect(product.flatMap(textualPathsOf)).toEqual([]);
  });

  test.each([
    "if (uri.startsWith('file:')) return;",
    'return pathToFileURL(path).href;',
    'const path = fileURLToPath(uri);',
    `read(\`\${folder}/\${name}\`)`,
    `read(\`\${world.folder}/.env\`)`,
    "read(folder + '/' + name)",
    "const [first] = path.split('/');",
    'const names = path.split(/[\\\\/]/);',
    'const names = path.split(sep);',
    'const names = path.split(/[/\\\\]/);',
    "return folders.slice(0, -1).join('/');",
    'files.filter(({ path }) => path.startsWith(folder));',
    'return file.path.startsWith(world.folder);',
    "const path = text.replaceAll('\\\\', '/');",
    "uri.slice(0, uri.lastIndexOf('/') + 1)",
    'if (a.uri === b.uri) return;',
    'return document.uri.toString() === uri.toString();',
  ])('are reported if the code treats them as plain text: %s', (text) => {
    expect(textualPathsOf({ path: 'client/x.ts', text, imports: [] })).toHaveLength(1);
  });
});

test('Only the console reads and sets cookies, which browsers send without being asked', () => {
  const named = product.filter(({ text }) =>
    /\.cookie\b|\[['"]cookie|set-cookie|allow-credentials/i.test(text),
  );
  expect(named.map(({ path }) => path)).toEqual([
    'server/service/console/console.ts',
    'server/service/console/sessions.ts',
  ]);
});

test('No two files of the client export the same name', () => {
  const places = new Map<string, string>();
  const twice: string[] = [];
  for (const { path, text } of sourcesIn('client'))
    for (const [, name = ''] of text.matchAll(
      /^export (?:async )?(?:const|function|interface|type|class) (\w+)/gm,
    )) {
      const other = places.get(name);
      if (other !== undefined) twice.push(`${name}: ${other}, ${path}`);
      places.set(name, path);
    }
  expect(twice).toEqual([]);
});

describe('the words of PostgreSQL', () => {
  const files = product.filter(({ path }) => path.startsWith('server/service/') && !knowsPostgres(path));

  test('are only in the rooms that know it, and in the listed files', () => {
    const found = files.map((file) => [file.path, countSourceWords(file)] as const);
    const counted = Object.fromEntries(
      found.filter(([, { names, comments, texts }]) => names + comments + texts > 0),
    );
    const listed = Object.assign({}, ...knownSourceWords.map((group) => group.files));
    expect(counted, 'A new word belongs into the source. Of a removed one, lower the number here.').toEqual(
      listed,
    );
  });

  test.each([
    ['slotName', ['slot']],
    ['lastCheckpointLsn', ['lsn']],
    ['readLsns', ['lsns']],
    ['walStatus', ['wal']],
    ['source_timeline', ['timeline']],
    ['PostgreSQL server', ['postgresql']],
    ['isPostgres', ['postgres']],
    ['replicaIdentity', ['relation']],
    ['void walk(avoid: Slots)', ['slots']],
  ])('are found as whole words: %s', (text, words) => {
    expect(sourceWordsIn(text)).toEqual(words);
  });

  test('are counted in names, comments and texts', () => {
    const text =
      "import './slots.ts';\n/** The slot, an oid. */\nconst oid: Lsn = `pg_`, n = 'slot'; // wal\n";
    expect(countSourceWords({ path: 'a.ts', text, imports: [] })).toEqual({
      names: 2,
      comments: 3,
      texts: 2,
    });
  });
});

describe('the engine and the features', () => {
  const pure = product.filter(({ path }) => /^server\/(engine|features)\//.test(path));

  test('depend on nothing but their arguments, and have no side effects', () => {
    expect(pure.flatMap(impuritiesOf)).toEqual([]);
  });

  test('are reported for using a global, but not for naming one in a string or a comment', () => {
    const text = 'const x = new Date(); console.log(Math.random(), "fetch()"); // process.exit()';
    const found = ['console', 'Math.random', 'new Date()'].map((word) => `example.ts: ${word}`);
    expect(impuritiesOf({ path: 'example.ts', text, imports: [] })).toEqual(found);
  });
});

/** Files that contain slashes outside of paths: in JSON pointers, address ranges and routes. */
const otherSlashes = [
  ...[
    'client/project/projectFile.ts',
    'server/service/config/values.ts',
    'server/service/ground/addresses.ts',
  ],
  ...['server/engine/service/places.ts', 'server/engine/service/databases.ts'],
  'server/service/api/',
];

const textualPaths =
  /startsWith\(['"`]file:|\b(?:pathToFileURL|fileURLToPath)\b|\$\{[\w.]*(?:folder|director(?:y|ies)|root|dir|path)\w*\}\/|\b\w*(?:folder|path|dir)\w* \+ '\/'|split\((?:'[\\/]'|\/\[[^\]]*\/[^\]]*\]\/|sep)\)|\b(?:folders|names|parts)\b[^;\n]*\.join\('\/'\)|\.startsWith\((?:\w+\.)*\w*(?:folder|directory|root)\w*\)|replaceAll\('\\\\', '\/'\)|lastIndexOf\('\/'\)|\buri(?:\.text|\.toString\(\))? [!=]== (?:\w+\.)*uri\b/gi;

function textualPathsOf({ path, text }: Source): string[] {
  if (path === 'server/shared/uri.ts' || otherSlashes.some((other) => path.startsWith(other))) return [];
  return [...text.matchAll(textualPaths)].map(([found]) => `${path}: ${found}`);
}

function wrongImportsOf({ path, imports }: Source): string[] {
  return imports.filter((imported) => !mayImport(path, imported)).map((imported) => `${path} → ${imported}`);
}

function mayImport(from: string, to: string): boolean {
  const isOurs = /^\w+\/.*\.(tsx?|mjs|json|css)$/.test(to) && !to.startsWith('uplot/');
  if (to === 'package.json' || isOurs) return isAllowedRoom(from, to) || matches(borders, from, to);
  return matches(outside, from, to);
}

function isAllowedRoom(from: string, to: string): boolean {
  const [room, other] = [roomOf(from), roomOf(to)];
  if (room === undefined || other === undefined) return false;
  return room === other || (rooms.get(room)?.includes(other) ?? false);
}

function matches(table: typeof borders, from: string, to: string): boolean {
  return table.find(({ part }) => part.test(from))?.mayImport.test(to) ?? false;
}

/** Finds uses of globals. esbuild renames each global, but not the same word in a string, a comment or a local name. */
function impuritiesOf({ path, text }: Source): string[] {
  const nameOf = (word: string) => `impure_${word.replace('.', '_')}`;
  const define = Object.fromEntries(impure.map((word) => [word, nameOf(word)]));
  const { code } = transformSync(text, { loader: 'ts', sourcefile: path, define });
  const found = impure.filter((word) => new RegExp(`\\b${nameOf(word)}\\b`).test(code));
  if (code.includes('new Date()')) found.push('new Date()');
  return found.map((word) => `${path}: ${word}`);
}
