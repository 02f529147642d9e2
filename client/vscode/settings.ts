/** Reads the settings of the extension. */
import { ConfigurationTarget, type Uri, type WorkspaceConfiguration, workspace } from 'vscode';
import type { ProxySettings } from '../api/connection.ts';
import { allowedHosts } from './targets/consent.ts';
import type { QuietSettings, YamlSettings } from './yaml/sharing.ts';

interface Settings {
  readonly enable: boolean;
  /** The glob patterns of sync configs with unusual names. */
  readonly files: readonly string[];
}

interface ServiceSettings {
  readonly targets: unknown;
  /** The author of the targets, because workspace settings can also name targets. */
  readonly targetsNamedBy: 'user' | 'folder';
  /** The hosts for which a deploy asks no question. */
  readonly allowDeployTo: readonly string[];
  readonly local: {
    /** The port. 0: any port. */
    readonly port: number;
    /** The data folder. Empty: the editor's own folder for the workspace. */
    readonly dataDirectory: string;
    /** The author of the data folder setting, because workspace settings can also contain it. */
    readonly dataDirectoryNamedBy: 'user' | 'folder';
    readonly autoStart: boolean;
  };
}

export const section = 'headwater';

/** Whether answers of commands are shown as text, which is better for screen readers. */
export function prefersText(): boolean {
  return workspace.getConfiguration('editor').get('accessibilitySupport') === 'on';
}

/** Reads the settings. A value of another type counts as absent. */
export function readSettings(): Settings {
  const settings = workspace.getConfiguration(section);
  return { enable: settings.get('enable') !== false, files: textsIn(settings.get('files')) };
}

export function readServiceSettings(): ServiceSettings {
  const settings = workspace.getConfiguration(section);
  const port: unknown = settings.get('local.port');
  const directory: unknown = settings.get('local.dataDirectory');
  return {
    targets: settings.get('targets'),
    targetsNamedBy: isSetByFolder(settings.inspect('targets')) ? 'folder' : 'user',
    allowDeployTo: hostsIn(settings.inspect('allowDeployTo')),
    local: {
      port: typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0,
      dataDirectory: typeof directory === 'string' ? directory.trim() : '',
      dataDirectoryNamedBy: isSetByFolder(settings.inspect('local.dataDirectory')) ? 'folder' : 'user',
      autoStart: settings.get('local.autoStart') === true,
    },
  };
}

function hostsIn(places: ReturnType<WorkspaceConfiguration['inspect']>): readonly string[] {
  const folder: unknown = places?.workspaceFolderValue ?? places?.workspaceValue;
  return allowedHosts({
    user: textsIn(places?.globalValue ?? places?.defaultValue),
    ...(folder !== undefined && { folder: textsIn(folder) }),
  });
}

function isSetByFolder(places: ReturnType<WorkspaceConfiguration['inspect']>): boolean {
  return places?.workspaceValue !== undefined || places?.workspaceFolderValue !== undefined;
}

/** Returns the path of the snapshot of the schema in a folder, from which the language server reads it. */
export function readSchemaFile(folder: Uri): string {
  const file: unknown = workspace.getConfiguration(section, folder).get('schema.file');
  return typeof file === 'string' ? file.trim() : '';
}

/** Returns the proxy settings of the editor. If there are none, those of the environment apply. */
export function readProxy(): ProxySettings {
  const http = workspace.getConfiguration('http');
  const proxy: unknown = http.get('proxy');
  const except = textsIn(http.get('noProxy')).join(',');
  return {
    ...(typeof proxy === 'string' && proxy !== '' && { http: proxy, https: proxy }),
    ...(except !== '' && { except }),
    lax: http.get('proxyStrictSSL') === false,
  };
}

/** Returns the settings of the extension `redhat.vscode-yaml`, if it is installed. */
export function readYamlSettings(): {
  readonly effective: YamlSettings;
  readonly canDisable: boolean;
  readonly validates: boolean;
} {
  const yaml = workspace.getConfiguration('yaml');
  return {
    effective: {
      disableSchemaDetection: yaml.get('disableSchemaDetection'),
      customTags: yaml.get('customTags'),
    },
    // VS Code refuses to write a setting that no extension declares.
    canDisable: yaml.inspect('disableSchemaDetection')?.defaultValue !== undefined,
    validates: yaml.get('validate') !== false,
  };
}

/** Writes settings for this workspace, or for the user if there is no workspace. A list that equals the default is removed. */
export async function writeYamlSettings(settings: QuietSettings): Promise<void> {
  const yaml = workspace.getConfiguration('yaml');
  const hasWorkspace = workspace.workspaceFolders !== undefined;
  for (const [name, list] of Object.entries(settings)) {
    const { defaultValue, globalValue } = yaml.inspect(name) ?? {};
    const outer = (hasWorkspace ? globalValue : undefined) ?? defaultValue ?? [];
    const isNeedless = list.length === 0 || JSON.stringify(outer) === JSON.stringify(list);
    const target = hasWorkspace ? ConfigurationTarget.Workspace : ConfigurationTarget.Global;
    await yaml.update(name, isNeedless ? undefined : list, target);
  }
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}
