/**
 * The rooms of the tree, and from which others each may import. A room is a folder with all that lies below it, as far
 * as that is no room of its own. Each stands below those that it uses, so arrows go one way. A new arrow is a
 * decision: add it here, and say in docs/ARCHITECTURE.md why, if that is not plain.
 */
type Rooms = Readonly<Record<string, readonly string[]>>;

const engineRooms: Rooms = {
  'server/engine/ground': [],
  'server/engine/text': [],
  'server/engine/diagnostics': ['server/engine/text'],
  'server/engine/yaml': ['server/engine/text', 'server/engine/diagnostics'],
  'server/engine/yaml/outline': ['server/engine/text'],
  'server/engine/sql': ['server/engine/text'],
  'server/engine/sql/parser': ['server/engine/text', 'server/engine/sql'],
  'server/engine/sql/layout': ['server/engine/text', 'server/engine/sql', 'server/engine/sql/parser'],
  'server/engine/sql/position': ['server/engine/sql'],
  'server/engine/model': [
    'server/engine/text',
    'server/engine/diagnostics',
    'server/engine/yaml',
    'server/engine/sql',
    'server/engine/sql/parser',
  ],
  'server/engine/names': [
    'server/engine/text',
    'server/engine/sql',
    'server/engine/sql/position',
    'server/engine/model',
  ],
  'server/engine/ddl': ['server/engine/text', 'server/engine/sql/parser', 'server/engine/model'],
  'server/engine/catalog': ['server/engine/model'],
  'server/engine/plan': [
    'server/engine/ground',
    'server/engine/text',
    'server/engine/diagnostics',
    'server/engine/sql',
    'server/engine/model',
  ],
  'server/engine/plan/values': ['server/engine/model'],
  'server/engine/plan/evaluate': ['server/engine/model', 'server/engine/plan', 'server/engine/plan/values'],
  'server/engine/plan/compile': [
    'server/engine/ground',
    'server/engine/text',
    'server/engine/diagnostics',
    'server/engine/sql',
    'server/engine/model',
    'server/engine/plan',
  ],
  'server/engine/plan/before3': [
    'server/engine/text',
    'server/engine/diagnostics',
    'server/engine/sql',
    'server/engine/model',
    'server/engine/plan',
    'server/engine/plan/values',
    'server/engine/plan/evaluate',
  ],
  'server/engine/checks': [
    'server/engine/ground',
    'server/engine/text',
    'server/engine/diagnostics',
    'server/engine/sql',
    'server/engine/model',
    'server/engine/plan',
    'server/engine/plan/values',
    'server/engine/plan/evaluate',
    'server/engine/plan/compile',
  ],
  'server/engine/service': ['server/engine/text', 'server/engine/diagnostics', 'server/engine/yaml'],
  'server/engine/file': [
    'server/engine/text',
    'server/engine/diagnostics',
    'server/engine/yaml',
    'server/engine/sql',
    'server/engine/model',
    'server/engine/plan',
    'server/engine/plan/compile',
    'server/engine/plan/before3',
    'server/engine/checks',
  ],
  'server/engine/migrate': [
    'server/engine/ground',
    'server/engine/text',
    'server/engine/diagnostics',
    'server/engine/yaml',
    'server/engine/sql',
    'server/engine/sql/layout',
    'server/engine/model',
    'server/engine/plan',
    'server/engine/file',
  ],
  'server/engine': [
    'server/engine/text',
    'server/engine/diagnostics',
    'server/engine/yaml',
    'server/engine/model',
    'server/engine/ddl',
    'server/engine/catalog',
    'server/engine/plan',
    'server/engine/plan/values',
    'server/engine/plan/evaluate',
    'server/engine/service',
    'server/engine/file',
    'server/engine/migrate',
  ],
};

const featureRooms: Rooms = {
  'server/features/reading': [
    'server/engine/ground',
    'server/engine/text',
    'server/engine/yaml',
    'server/engine/yaml/outline',
    'server/engine/sql',
    'server/engine/model',
    'server/engine/names',
    'server/engine/service',
    'server/engine',
  ],
  'server/features/explain': [
    'server/engine/text',
    'server/engine/diagnostics',
    'server/engine/sql',
    'server/engine/model',
    'server/engine/names',
    'server/engine/plan',
    'server/engine/service',
    'server/engine',
    'server/features/reading',
  ],
  'server/features/completion': [
    'server/engine/text',
    'server/engine/diagnostics',
    'server/engine/yaml/outline',
    'server/engine/sql',
    'server/engine/sql/parser',
    'server/engine/sql/position',
    'server/engine/model',
    'server/engine/names',
    'server/engine/service',
    'server/engine',
    'server/features/reading',
    'server/features/explain',
  ],
  'server/features/hover': [
    'server/engine/text',
    'server/engine/diagnostics',
    'server/engine/yaml/outline',
    'server/engine/sql',
    'server/engine/sql/parser',
    'server/engine/sql/position',
    'server/engine/model',
    'server/engine/names',
    'server/engine',
    'server/features/reading',
    'server/features/explain',
  ],
  'server/features/formatting': [
    'server/engine/text',
    'server/engine/yaml',
    'server/engine/sql',
    'server/engine/sql/layout',
    'server/engine',
    'server/features/reading',
  ],
  'server/features': [
    'server/engine/text',
    'server/engine/diagnostics',
    'server/engine/sql',
    'server/engine/sql/position',
    'server/engine/model',
    'server/engine/names',
    'server/engine/catalog',
    'server/engine/plan',
    'server/engine/service',
    'server/engine',
    'server/features/reading',
    'server/features/explain',
  ],
  'server/features/actions': [
    'server/engine/ground',
    'server/engine/text',
    'server/engine/diagnostics',
    'server/engine/yaml',
    'server/engine/sql',
    'server/engine/sql/layout',
    'server/engine/model',
    'server/engine/plan',
    'server/engine/migrate',
    'server/engine',
    'server/features/reading',
    'server/features',
  ],
};

const languageServerRooms: Rooms = {
  'server/lsp/host': [],
  'server/lsp/workspace': [
    'server/engine/diagnostics',
    'server/engine/ddl',
    'server/engine/catalog',
    'server/engine',
    'server/features/reading',
    'server/features',
    'server/lsp/host',
  ],
  'server/lsp/answers': [
    'server/engine/text',
    'server/engine/diagnostics',
    'server/engine/names',
    'server/features/reading',
    'server/features/completion',
    'server/features/hover',
    'server/features/formatting',
    'server/features',
    'server/features/actions',
    'server/lsp/host',
    'server/lsp/workspace',
  ],
  'server/lsp': ['server/features', 'server/lsp/host', 'server/lsp/workspace', 'server/lsp/answers'],
};

/** The service and the client add their tables here. */
const tables: readonly Rooms[] = [engineRooms, featureRooms, languageServerRooms];

export const rooms: ReadonlyMap<string, readonly string[]> = new Map(
  tables.flatMap((table) => Object.entries(table)),
);

/** Rooms that have one door, which bears the name of the room: nobody outside takes anything from another file. */
export const roomsWithDoor: readonly string[] = [
  'server/engine/diagnostics',
  'server/engine/sql/parser',
  'server/engine/yaml/outline',
  'server/engine/plan/compile',
  'server/engine/plan/before3',
  'server/features/hover',
  'server/features/formatting',
];

/** The innermost room that holds a file. */
export function roomOf(path: string): string | undefined {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const folder = path.slice(0, end);
    if (rooms.has(folder)) return folder;
  }
  return undefined;
}
