/** URIs and paths of all kinds: all spellings of a file by editors, people and disks are equal, and no others are. */
import { posix, win32 } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  beside,
  folderOfUri,
  fromNative,
  inFolder,
  isSameName,
  isSameUri,
  isWithin,
  joinPath,
  pathFrom,
  pathOfUri,
  readPath,
  shownPath,
  shownUri,
  splitPath,
  uriOfPath,
  uriReader,
} from '../../server/shared/uri.ts';
import { casesOf } from '../support/house/share.ts';

const numRuns = casesOf(10_000);
const platforms = ['win32', 'darwin', 'linux'] as const;

/** Names that Windows also allows: blanks, percent signs, accents in both forms, emoji, reserved words. */
const name = fc
  .oneof(
    fc.constantFrom(
      'a',
      'B',
      'con',
      'nul',
      'my app',
      '100%',
      '%41',
      '%zz',
      'a#b',
      'a+b',
      "it's",
      '[x]',
      'c',
      '日本',
    ),
    fc.constantFrom(
      'caf\u00e9',
      'cafe\u0301',
      'Ärger',
      '😀',
      'ſ',
      'İ',
      'ı',
      'ß',
      'Σας',
      '~1',
      '{a}',
      'sync.yaml',
      '..a',
      'UNC',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
  )
  .filter(
    (text) => !/[\p{Cc}<>:"/\\|?*]/u.test(text) && text !== '.' && text !== '..' && !/[. ]$/.test(text),
  );
const names = fc.array(name, { minLength: 1, maxLength: 5 });

/** Absolute paths with the separators of the system, as in `pathOfUri`. */
const absolute = {
  win32: fc.oneof(
    fc
      .tuple(fc.constantFrom('c:', 'C:', 'z:'), names)
      .map(([drive, inside]) => [drive, ...inside].join('\\')),
    fc
      .tuple(fc.constantFrom('server', 'nas.example', 'wsl$'), names)
      .map(([server, inside]) => `\\\\${[server, 'share', ...inside].join('\\')}`),
  ),
  darwin: names.map((inside) => `/${inside.join('/')}`),
  linux: names.map((inside) => `/${inside.join('/')}`),
};

const placed = fc
  .constantFrom(...platforms)
  .chain((platform) =>
    absolute[platform].map((path) => ({ platform, path, uri: uriOfPath(path, platform) })),
  );

const virtual = fc
  .tuple(
    fc.constantFrom('vscode-vfs://github', 'vscode-remote://wsl%2Bubuntu', 'memfs:', 'zip://a%2Fb'),
    names,
    fc.constantFrom(...platforms),
  )
  .map(([root, inside, platform]) => ({
    platform,
    uri: uriReader(platform)(`${root}/${inside.map(encodeURIComponent).join('/')}`),
  }));

const anywhere = fc.oneof(placed, virtual);

/** Returns the URIs that editors are known to write for a file. */
function spellings(text: string, platform: string): readonly string[] {
  const eager = text.replaceAll(
    /[!'()*~]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const all = [
    text,
    eager,
    text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    `FILE${text.slice(4)}`,
  ];
  if (text.startsWith('file:///')) all.push(text.replace('file:///', 'file://localhost/'));
  if (platform !== 'win32') return all;
  const drive = /^file:\/\/\/([a-z])%3A/i.exec(text)?.[1];
  if (drive === undefined) return all;
  const after = text.slice('file:///c%3A'.length);
  return [
    ...[...all, `file:///${drive.toUpperCase()}:${after}`, `file:///${drive.toLowerCase()}%3a${after}`],
    ...[`file://${drive}:${after}`, `file:///${drive}|${after}`, `file://%3F/${drive}%3A${after}`],
    ...[`file:///${drive}:${after.replaceAll('/', '\\')}`, `file:/${drive}:${after}`],
  ];
}

describe('Ten thousand files', () => {
  test('have the same path after conversion to a URI and back', () => {
    fc.assert(
      fc.property(placed, ({ path, uri }) => {
        expect(pathOfUri(uri)).toBe(path.replace(/^\\\\[^\\]+/, (server) => server.toLowerCase()));
        expect(shownUri(uri)).toBe(pathOfUri(uri));
      }),
      { numRuns },
    );
  });

  test('have the same URIs and paths as in Node', () => {
    fc.assert(
      fc.property(placed, ({ path, platform, uri }) => {
        const options = { windows: platform === 'win32' };
        const node = uriReader(platform)(pathToFileURL(path, options).href);
        expect(node.key).toBe(uri.key);
        expect(pathOfUri(uri)).toBe(fileURLToPath(uri.text, options));
      }),
      { numRuns },
    );
  });

  test('are the same file in every spelling of their URI', () => {
    fc.assert(
      fc.property(placed, ({ platform, uri, path }) => {
        const keys = spellings(uri.text, platform).map((text) => uriReader(platform)(text).key);
        expect(new Set(keys)).toEqual(new Set([uri.key]));
        const long = path.startsWith('\\\\') ? `\\\\?\\UNC${path.slice(1)}` : `\\\\?\\${path}`;
        if (platform === 'win32') expect(uriOfPath(long, platform).key).toBe(uri.key);
      }),
      { numRuns },
    );
  });

  test('are distinguished by case and accents only if the file system does so', () => {
    fc.assert(
      fc.property(placed, ({ platform, path, uri }) => {
        const loud = uriOfPath(
          path.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase()),
          platform,
        );
        expect(isSameUri(loud, uri)).toBe(platform !== 'linux' || loud.text === uri.text);
        const taken = uriOfPath(path.normalize('NFD'), platform);
        const isOneForm = taken.text === uriOfPath(path.normalize('NFC'), platform).text;
        if (!isOneForm && platform === 'darwin') expect(isSameUri(taken, uri)).toBe(true);
        if (taken.text !== uri.text && platform === 'linux') expect(isSameUri(taken, uri)).toBe(false);
      }),
      { numRuns },
    );
  });

  test('are in their folders, at the path that they were created with', () => {
    fc.assert(
      fc.property(anywhere, names, ({ uri: folder }, inside) => {
        const path = inside.join('/');
        const file = inFolder(folder, path);
        if (file === undefined) throw new Error('There is no such place.');
        expect(pathFrom(folder, file)).toBe(path);
        expect(isWithin(folder, file) && isWithin(folder, folder)).toBe(true);
        expect(isWithin(file, folder)).toBe(false);
        expect(pathFrom(file, folder)).toBeUndefined();
        expect(beside(file, `./${splitPath(path).name}`)?.key).toBe(file.key);
        expect(beside(file, splitPath(path).name)?.key).toBe(file.key);
        expect(inside.reduce((at) => folderOfUri(at), file).key).toBe(folder.key);
        expect(uriReader(folder.platform)(file.text).key).toBe(file.key);
        expect(uriReader(folder.platform)(`${folder.text}/`).key).toBe(folder.key);
        // A folder is not inside another one whose name is a prefix of its own name.
        expect(isWithin(folder, uriReader(folder.platform)(`${folder.text}x/y`))).toBe(false);
      }),
      { numRuns },
    );
  });

  test('are found by the relative paths of Node', () => {
    fc.assert(
      fc.property(placed, names, ({ platform, path, uri }, inside) => {
        const native = platform === 'win32' ? win32 : posix;
        const other = native.resolve(native.dirname(path), '..', ...inside);
        const relative = native.relative(native.dirname(path), other);
        if (relative !== '') expect(beside(uri, relative)?.key).toBe(uriOfPath(other, platform).key);
        expect(beside(uri, other)?.key).toBe(uriOfPath(other, platform).key);
      }),
      { numRuns },
    );
  });

  test('are equal only to themselves', () => {
    fc.assert(
      fc.property(anywhere, anywhere, ({ uri: one }, { uri: other }) => {
        const isOne = one.text === other.text && one.platform === other.platform;
        if (isOne) expect(isSameUri(one, other)).toBe(true);
        else if (isSameUri(one, other))
          expect(one.names.map((each) => each.name.normalize('NFC').toUpperCase())).toEqual(
            other.names.map((each) => each.name.normalize('NFC').toUpperCase()),
          );
        expect(isWithin(one, other) && isWithin(other, one)).toBe(isSameUri(one, other));
      }),
      { numRuns },
    );
  });

  test('are shown with the separators of the system, and read with both kinds of separators', () => {
    fc.assert(
      fc.property(names, fc.constantFrom(...platforms), (inside, platform) => {
        const path = joinPath(...inside);
        expect(readPath(shownPath(path, platform))).toBe(path);
        expect(fromNative(shownPath(path, platform), platform)).toBe(path);
        expect(joinPath(...splitPath(path).folders, splitPath(path).name)).toBe(path);
        expect(shownPath(path, platform).includes('/')).toBe(platform !== 'win32' && inside.length > 1);
      }),
      { numRuns },
    );
  });

  test('may have any text as their URI: reading never fails, and keeps the text', () => {
    const text = fc.oneof(
      fc.string(),
      fc.tuple(
        fc.constantFrom('file:', 'file://', 'file:///', 'untitled:', 'C:\\', '\\\\', 'x://'),
        fc.string(),
      ),
    );
    fc.assert(
      fc.property(text, fc.string(), fc.constantFrom(...platforms), (told, path, platform) => {
        const whole = [told].flat().join('');
        const uri = uriReader(platform)(whole);
        expect(uri.text).toBe(whole);
        expect(uriReader(platform)(whole).key).toBe(uri.key);
        expect(isWithin(uri, uri)).toBe(true);
        const made = [beside(uri, path), inFolder(uri, path), folderOfUri(uri), uriOfPath(whole, platform)];
        for (const each of made)
          if (each !== undefined) expect(uriReader(platform)(each.text).key).toBe(each.key);
      }),
      { numRuns },
    );
  });
});

describe('A path relative to a file', () => {
  test.each([
    ['linux', 'file:///w/a/service.yaml', 'sync.yaml', 'file:///w/a/sync.yaml'],
    ['linux', 'file:///w/a/service.yaml', '../b/my sync#1.yaml', 'file:///w/b/my%20sync%231.yaml'],
    ['linux', 'file:///w/a/service.yaml', '/etc/sync.yaml', 'file:///etc/sync.yaml'],
    ['linux', 'file:///w/a/service.yaml', '100%.yaml', 'file:///w/a/100%25.yaml'],
    ['linux', 'file:///w/a/service.yaml', 'a\\b.yaml', 'file:///w/a/a%5Cb.yaml'],
    ['linux', 'file:///w/a/service.yaml', '../../../../x', 'file:///x'],
    ['win32', 'file:///c%3A/w/service.yaml', '..\\b\\sync.yaml', 'file:///c%3A/b/sync.yaml'],
    ['win32', 'file:///C:/w/service.yaml', 'sync.yaml', 'file:///C:/w/sync.yaml'],
    ['win32', 'file:///c%3A/w/service.yaml', 'D:\\b\\sync.yaml', 'file:///D%3A/b/sync.yaml'],
    ['win32', 'file:///c%3A/w/service.yaml', '/b/sync.yaml', 'file:///c%3A/b/sync.yaml'],
    ['win32', 'file:///c%3A/w/service.yaml', '..\\..\\..\\x', 'file:///c%3A/x'],
    ['win32', 'file:///c%3A/w/service.yaml', '\\\\nas\\b\\x', 'file://nas/b/x'],
    ['win32', 'file://nas/share/service.yaml', 'sync.yaml', 'file://nas/share/sync.yaml'],
    ['linux', 'vscode-vfs://github/o/r/service.yaml', '../x', 'vscode-vfs://github/o/x'],
  ])('%s: %s, %s', (platform, from, path, expected) => {
    expect(beside(uriReader(platform)(from), path)?.text).toBe(expected);
  });

  test('has no place if it contains half of an emoji, or if the file has no folder', () => {
    const read = uriReader('linux');
    expect(beside(read('file:///w/a/service.yaml'), 'a\ud83d.yaml')).toBeUndefined();
    expect(beside(read('untitled:Untitled-1'), 'sync.yaml')).toBeUndefined();
  });
});

test.each([
  ['win32', 'file:///x/no-drive.yaml', undefined],
  ['win32', 'file:///c%3A/a%2Fb', undefined],
  ['win32', 'file:///c%3A/a%5Cb', undefined],
  ['win32', 'file:///c%3A/', 'c:\\'],
  ['win32', 'file://nas/share', '\\\\nas\\share'],
  ['win32', 'file://%3F/UNC/nas/share/x', '\\\\nas\\share\\x'],
  ['linux', 'file://nas/share', undefined],
  ['linux', 'file:///a%2Fb', undefined],
  ['linux', 'file:///a%00b', undefined],
  ['linux', 'file:///a%5Cb', '/a\\b'],
  ['linux', 'vscode-remote://wsl%2Bubuntu/x', undefined],
  ['linux', 'untitled:/x', undefined],
])('%s: the path of %s', (platform, uri, path) => {
  expect(pathOfUri(uriReader(platform)(uri))).toBe(path);
});

test('An unsaved document is in no folder', () => {
  const read = uriReader('linux');
  const untitled = read('untitled:Untitled-1');
  expect(isWithin(read('file:///'), untitled)).toBe(false);
  expect(folderOfUri(untitled).key).toBe(untitled.key);
});

test('A name from a watcher is compared with the name of a file according to the file system', () => {
  expect(isSameName('Sync.yaml', 'sync.yaml', 'win32')).toBe(true);
  expect(isSameName('cafe\u0301.yaml', 'caf\u00e9.yaml', 'darwin')).toBe(true);
  expect(isSameName('Sync.yaml', 'sync.yaml', 'linux')).toBe(false);
});
