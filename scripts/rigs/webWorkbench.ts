/**
 * Serves VS Code for the Web: code-server's files from the disk, without a server. The only extension host is a web worker, and the
 * workspace is in memory.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../root.ts';
import { quietSettings } from './settings.ts';
import { type Body, serveStatic } from './staticServer.ts';

interface WebWorkbench {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * The content of the workspace: a suite that runs in the extension host (a file of this repository), or files to work with by hand.
 */
type WebContent =
  | { readonly kind: 'suite'; readonly file: string }
  | { readonly kind: 'files'; readonly folder: string };

export async function startWebWorkbench(codeServer: string, content: WebContent): Promise<WebWorkbench> {
  const vscode = join(codeServer, 'lib/vscode');
  const { folder, mounts, extensions } =
    content.kind === 'suite' ? suiteOf(content.file) : filesOf(content.folder);
  const server = await serveStatic((origin) => ({
    '/': page(vscode, {
      productConfiguration: { enableTelemetry: false },
      webviewEndpoint: `${origin}/vscode/out/vs/workbench/contrib/webview/browser/pre`,
      _wrapWebWorkerExtHostInIframe: false,
      // This path is required by code-server's workbench.
      userDataPath: '/',
      isEnabledCoderGettingStarted: false,
      isEnabledFileDownloads: true,
      isEnabledFileUploads: true,
      enableWorkspaceTrust: false,
      configurationDefaults: quietSettings,
      ...extensions((path) => ({ ...schemeAndAuthority(origin), path })),
    }),
    '/extension/': root,
    '/vscode/out/vs/code/browser/workbench/workbench.js': script(workbenchWithoutServer(vscode)),
    '/vscode/': vscode,
    ...mounts,
  }));
  return { url: `${server.origin}/?folder=${encodeURIComponent(folder)}`, stop: server.stop };
}

type Uri = { readonly scheme: string; readonly authority: string; readonly path: string };

interface Arrangement {
  readonly folder: string;
  readonly mounts: Readonly<Record<string, Body>>;
  /** Returns the part of the workbench's configuration that names extensions. */
  readonly extensions: (uri: (path: string) => Uri) => object;
}

function suiteOf(file: string): Arrangement {
  // The extension host runs only files inside an extension, and adds `.js` itself.
  const path = `/extension/${relative(root, file).replace(/\.js$/, '')}`;
  return {
    // The folder is below the root, because VS Code would wait 7 s for a search provider for the root.
    folder: 'tmp:/workspace',
    mounts: {},
    extensions: (uri) => ({
      developmentOptions: { extensions: [uri('/extension')], extensionTestsPath: uri(path) },
    }),
  };
}

function filesOf(folder: string): Arrangement {
  return {
    // The folder is the root, because the explorer shows new files only there.
    folder: 'tmp:/',
    mounts: {
      '/seed/package.json': { type: 'application/json', body: JSON.stringify(seedManifest) },
      '/seed/main.js': script(seed(readFolder(folder))),
    },
    extensions: (uri) => ({ additionalBuiltinExtensions: [uri('/extension'), uri('/seed')] }),
  };
}

const seedManifest = {
  name: 'seed',
  publisher: 'test',
  version: '0.0.1',
  engines: { vscode: '^1.60.0' },
  browser: './main.js',
  activationEvents: ['*'],
};

/** Returns an extension that writes files into the in-memory workspace, which cannot be reached from outside. */
function seed(files: Readonly<Record<string, string>>): string {
  return `
    const { Uri, workspace } = require('vscode');
    exports.activate = async () => {
      for (const [name, text] of Object.entries(${JSON.stringify(files)})) {
        await workspace.fs.writeFile(Uri.parse('tmp:/' + name), new TextEncoder().encode(text));
      }
    };`;
}

function readFolder(folder: string): Record<string, string> {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(names.map(({ name }) => [name, readFileSync(join(folder, name), 'utf8')]));
}

function page(vscode: string, configuration: object): Body {
  const values: Readonly<Record<string, string>> = {
    WORKBENCH_WEB_BASE_URL: '/vscode',
    WORKBENCH_WEB_CONFIGURATION: JSON.stringify(configuration).replaceAll('"', '&quot;'),
    WORKBENCH_NLS_FALLBACK_URL: '/vscode/out/nls.messages.js',
  };
  const template = readFileSync(join(vscode, 'out/vs/code/browser/workbench/workbench.html'), 'utf8');
  const body = template
    .replace(/\{\{([^}]+)\}\}/g, (_, name: string) => values[name] ?? '')
    .replace(/<link rel="manifest".*/, '');
  return { type: 'text/html', body };
}

/**
 * Reverts two of code-server's patches, so that VS Code keeps user data in the browser and has a remote authority only if it is
 * given one. The patterns match the bundle of one version. See `newest` in `install.ts`.
 */
function workbenchWithoutServer(vscode: string): string {
  let text = readFileSync(join(vscode, 'out/vs/code/browser/workbench/workbench.js'), 'utf8');
  for (const [patched, original] of [
    [
      /(get userRoamingDataHome\(\)\{return \w+\(\w+\.file\()this\.userDataPath\)\.with\(\{scheme:[^}]+\}\)/,
      '$1"/").with({scheme:"vscode-userdata"})',
    ],
    [/(\{\.\.\.JSON\.parse\(\w+\)),remoteAuthority:location\.host\}/, '$1}'],
  ] as const) {
    if (!patched.test(text)) throw new Error(`This code-server has no patch that looks like ${patched}.`);
    text = text.replace(patched, original);
  }
  return text;
}

function script(body: string): Body {
  return { type: 'text/javascript', body };
}

function schemeAndAuthority(origin: string): Pick<Uri, 'scheme' | 'authority'> {
  const { protocol, host } = new URL(origin);
  return { scheme: protocol.slice(0, -1), authority: host };
}
