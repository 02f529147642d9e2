/** The user's settings that the server reads. Invalid values count as absent. */
import {
  type Connection,
  DidChangeConfigurationNotification,
  type InitializeParams,
} from 'vscode-languageserver';
import { type Code, catalogue, severityOf } from '../../engine/diagnostics/diagnostics.ts';
import type { SeverityChoice, ShownSeverity } from '../../features/diagnostics.ts';
import { serverId } from '../../protocol.ts';
import { quietly } from '../host/quietly.ts';

export interface EditorSettings {
  readonly bucketHints: boolean;
  readonly referenceLenses: boolean;
  readonly schemaSource: SchemaSource;
  /** A path relative to each root of the workspace; empty for none. Roots may override it. */
  readonly schemaFile: string;
  /** The severities that the user has overridden. */
  readonly severities: Readonly<Partial<Record<Code, ShownSeverity | 'off'>>>;
}

const schemaSources = ['auto', 'files', 'snapshot', 'service'] as const;
type SchemaSource = (typeof schemaSources)[number];

const shownSeverities: ReadonlySet<unknown> = new Set<ShownSeverity | 'off'>([
  ...(['error', 'warning', 'information', 'hint', 'off'] as const),
]);

/** The settings by name, without `headwater.`, as declared in package.json. */
const readers = {
  'inlayHints.buckets': (value) => ({ bucketHints: value !== false }),
  'codeLens.references': (value) => ({ referenceLenses: value === true }),
  'schema.source': (value) => ({ schemaSource: schemaSources.find((source) => source === value) ?? 'auto' }),
  'schema.file': (value) => ({ schemaFile: readPathSetting(value) }),
  'diagnostics.severity': (value) => ({ severities: readSeverities(value) }),
} satisfies Record<string, (value: unknown) => Partial<EditorSettings>>;

export const settingNames = Object.keys(readers);

function parseSettings(value: unknown): EditorSettings {
  const parts = Object.entries(readers).map(([name, read]) => read(valueAt(value, name.split('.'))));
  return Object.assign({}, ...parts);
}

function readSeverities(value: unknown): EditorSettings['severities'] {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.filter(([code, severity]) => Object.hasOwn(catalogue, code) && shownSeverities.has(severity)),
  );
}

export function showingOf({ severities }: EditorSettings): SeverityChoice {
  return (code) => severities[code] ?? severityOf(code);
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<string, unknown>)[key]
        : undefined,
    value,
  );
}

function readPathSetting(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

interface LiveSettings {
  readonly now: () => EditorSettings;
  /** Returns the `schemaFile` of a root of the workspace. */
  readonly schemaFileOf: (root: string) => Promise<string>;
  /** Called when the client is ready to answer requests. */
  readonly start: () => Promise<void>;
}

/**
 * Asks the client for the settings at the start and after each change. Clients that cannot be asked send their settings themselves.
 */
export function followSettings(
  connection: Connection,
  { capabilities, initializationOptions }: InitializeParams,
  changed: () => void,
): LiveSettings {
  const canAsk = capabilities.workspace?.configuration === true;
  let settings = parseSettings(valueAt(initializationOptions, ['settings']));
  const take = (value: unknown): void => {
    const next = parseSettings(value);
    if (JSON.stringify(next) === JSON.stringify(settings)) return;
    settings = next;
    changed();
  };
  const ask = async (): Promise<void> => take(await connection.workspace.getConfiguration(serverId));
  /** The last answers for roots, which the settings of the workspace do not contain. */
  const ofRoots = new Map<string, string>();
  const askFor = async (root: string): Promise<string> => {
    const question = { scopeUri: root, section: `${serverId}.schema.file` };
    return readPathSetting(await connection.workspace.getConfiguration(question));
  };
  const askForRoots = async (): Promise<void> => {
    let isChanged = false;
    for (const [root, before] of ofRoots) {
      const file = await askFor(root);
      ofRoots.set(root, file);
      isChanged ||= file !== before;
    }
    if (isChanged) changed();
  };
  connection.onDidChangeConfiguration(({ settings: sent }) => {
    if (canAsk) quietly(ask().then(askForRoots));
    else take(valueAt(sent, [serverId]) ?? sent);
  });
  return {
    now: () => settings,
    async schemaFileOf(root) {
      const known = ofRoots.get(root);
      if (known !== undefined || !canAsk) return known ?? settings.schemaFile;
      // A client may refuse the question.
      const file = await askFor(root).catch(() => undefined);
      if (file !== undefined) ofRoots.set(root, file);
      return file ?? settings.schemaFile;
    },
    async start() {
      if (canAsk) await ask();
      if (capabilities.workspace?.didChangeConfiguration?.dynamicRegistration)
        await connection.client.register(DidChangeConfigurationNotification.type, { section: serverId });
    },
  };
}
