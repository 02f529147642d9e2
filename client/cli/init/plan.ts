/** Plans the files that `headwater init` creates, changes and keeps. */
import type { KnownSource } from '../../../server/engine/index.ts';
import { emptySyncConfig, starterFor } from '../../../server/features/starter.ts';
import { starterTests } from '../../../server/features/starterTests.ts';
import { portsToTry } from '../../project/freePort.ts';
import { usualDataFolder } from '../../project/serviceConfig.ts';
import { CliFailure, explainFile } from '../failure.ts';
import { sourceAt } from '../project/databaseTables.ts';
import { addressesIn } from '../project/localService.ts';
import { describeTool } from '../project/remedy.ts';
import { secretLength } from '../project/running.ts';
import { missingNames, noFileCreates } from '../project/schemaFiles.ts';
import { isMadeForHere } from '../project/serviceConfig.ts';
import type { World } from '../world.ts';
import { type Addition, addPatterns, addScripts, addVariables } from './additions.ts';
import { addAgentsSection, agentFiles } from './agents.ts';
import {
  chooseDatabase,
  type FirstSource,
  isOnThisMachine,
  localSupabaseSecret,
  supabaseKeySet,
  variableNames,
} from './firstSource.ts';
import { serviceConfigText } from './serviceConfig.ts';
import { lookAround, type Surroundings } from './survey.ts';
import { firstSchema, firstSyncConfig, firstTests } from './templates.ts';
import { type Tracking, trackingOf } from './tracked.ts';

interface InitOptions {
  /** The address of a database, or the name of a variable that contains one. */
  readonly postgres: string | undefined;
  readonly supabase: boolean;
  /** Whether AGENTS.md is written as well. */
  readonly agents: boolean;
}

export interface InitPlan {
  readonly create: readonly NewFile[];
  readonly change: readonly FileChange[];
  readonly keep: readonly string[];
  /** Advice for the user. */
  readonly advice: readonly string[];
}

interface NewFile {
  readonly path: string;
  readonly text: string;
  readonly readers: 'all' | 'owner';
}

interface FileChange extends Addition {
  readonly path: string;
  /** The users who may read the file from now on. */
  readonly readers: 'same' | 'owner';
}

export async function planInit(wanted: InitOptions, world: World): Promise<InitPlan> {
  const survey = await lookAround(world);
  const database = await databaseFor(survey, wanted, world);
  const begin = await firstFiles(survey, database, world);
  const service = database && (await newService(survey, database, wanted, world));
  const variables = variablesFor(survey, service, world);
  const files = [
    await addOrCreate('.env', 'owner', world, (text) => addVariables(text, variables)),
    await addOrCreate('.gitignore', 'all', world, (text) => addPatterns(text, ignored)),
    await addOrKeep('package.json', 'same', world, (text) => addScripts(text, scripts)),
    ...(wanted.agents ? [await agentsFile(survey, begin, world)] : []),
  ];
  return {
    create: [...(service?.files ?? []), ...begin.files, ...files.flatMap(({ create }) => create ?? [])],
    change: files.flatMap(({ change }) => change ?? []),
    keep: [
      ...(survey.service === undefined ? [] : [survey.service.file.path]),
      ...survey.syncConfigs,
      ...files.flatMap(({ keep }) => keep ?? []),
    ],
    advice: [
      ...begin.advice,
      ...adviceOn(survey, wanted),
      ...trackedAdvice[await trackingOf(world.files.real('.env'), world)],
      ...(!wanted.agents && agentFiles.some(world.files.exists) ? [agentsAdvice] : []),
    ],
  };
}

/** Secrets, data, and files that an app leaves in the folder during development. */
const ignored = ['.env', usualDataFolder.concat('/'), 'node_modules/', '*.db'];

const scripts = { sync: 'headwater dev', 'sync:validate': 'headwater validate' };

const agentsAdvice =
  'To tell coding agents how to write and check the sync config, run headwater init --agents. It writes AGENTS.md.';

const trackedAdvice: Readonly<Record<Tracking, readonly string[]>> = {
  tracked: [
    'Git tracks .env, which contains secrets. Stop that before the next commit: git rm --cached .env',
  ],
  untracked: [],
  unknown: [
    'Could not find out whether Git tracks .env, which contains secrets. If git ls-files .env prints it, run: git rm --cached .env',
  ],
};

function agentsFile({ syncConfigs }: Surroundings, { files }: Beginning, world: World): Promise<Outcome> {
  const path = syncConfigs[0] ?? files[0]?.path ?? 'sync.yaml';
  return addOrCreate('AGENTS.md', 'all', world, (text) => addAgentsSection(text, path));
}

/** Returns the database. Undefined if a service config already determines it. */
async function databaseFor(
  { service, schema, syncConfigs, source, place }: Surroundings,
  { postgres, supabase }: InitOptions,
  world: World,
): Promise<FirstSource | undefined> {
  if (service !== undefined) return undefined;
  const isEmpty = syncConfigs.length === 0 && source === undefined;
  const paths = isEmpty ? ['schema.sql'] : schema.paths.map((path) => fromPlace(path, place));
  return chooseDatabase(postgres, supabase, paths, world);
}

interface Beginning {
  readonly files: readonly NewFile[];
  readonly advice: readonly string[];
}

/** The sync config, its access tests, and tables if there are none. */
async function firstFiles(
  { syncConfigs, source, place }: Surroundings,
  database: FirstSource | undefined,
  world: World,
): Promise<Beginning> {
  if (syncConfigs.length > 0) return { files: [], advice: [] };
  const name = place === '' ? 'sync.yaml' : 'sync-config.yaml';
  const path = `${place}${name}`;
  const begin: FirstPaths = { path, name, tests: testsPath(place, world) };
  if (source !== undefined) return starterFiles(begin, source);
  if (database?.kind !== 'postgresql') {
    const schema = `${place}schema.sql`;
    const files = [
      newFile(path, firstSyncConfig),
      newFile(schema, firstSchema),
      ...testsFile(begin, firstTests(name)),
    ];
    const tool = await describeTool(world);
    return { files, advice: tool === undefined ? [] : [exampleAdvice(path, schema, tool, world)] };
  }
  let reason = 'The database has no tables yet';
  const found = await sourceAt(database.address, world).catch(() => {
    reason = 'The database cannot be reached';
  });
  if (found) return starterFiles(begin, found);
  return { files: [newFile(path, emptySyncConfig)], advice: [`${reason}, so ${path} has no stream yet.`] };
}

/** Returns advice to replace the example, because an app that has its own tables needs those tables. */
function exampleAdvice(path: string, schema: string, tool: string, { env }: World): string {
  const [variable = 'postgresql://…'] = addressesIn(env);
  return `${path} and ${schema} contain an example, because no file that creates the tables of this project can be read here. ${tool}. Or remove both files, and run headwater init --postgres ${variable}.`;
}

interface FirstPaths {
  /** The path of the sync config. */
  readonly path: string;
  /** The path from the folder of the tests. */
  readonly name: string;
  /** The path of the tests. Absent if this file exists already. */
  readonly tests: string | undefined;
}

function testsPath(place: string, { files }: World): string | undefined {
  const path = `${place}access.sync-test.yaml`;
  return files.exists(path) ? undefined : path;
}

function testsFile({ tests }: FirstPaths, text: string | undefined): readonly NewFile[] {
  return tests === undefined || text === undefined ? [] : [newFile(tests, text)];
}

function starterFiles(begin: FirstPaths, source: KnownSource): Beginning {
  const { path, name } = begin;
  const { text, without, suggested } = starterFor(source);
  const number = without === 1 ? '1 table has' : `${without} tables have`;
  const streams = suggested === 1 ? 'a stream for 1 of them' : `streams for ${suggested} of them`;
  const advice =
    without === 0
      ? []
      : [
          `${number} no stream yet. The end of ${path} says why${suggested === 0 ? '' : `, and suggests ${streams}`}.`,
        ];
  return { files: [newFile(path, text), ...testsFile(begin, starterTests(name, source))], advice };
}

interface ServiceFiles {
  readonly files: readonly NewFile[];
  readonly variables: Readonly<Record<string, string>>;
}

async function newService(
  { place }: Surroundings,
  database: FirstSource,
  { supabase }: InitOptions,
  world: World,
): Promise<ServiceFiles> {
  const port = await world.firstFreePort(portsToTry([], usualPort));
  const isLocal = database.kind === 'embedded' || isOnThisMachine(database.address);
  const auth = supabase ? (isLocal ? { keySet: await supabaseKeySet(world) } : {}) : undefined;
  const text = serviceConfigText({ port: port || usualPort, database, supabase: auth });
  return {
    files: [newFile(`${place}service.yaml`, text)],
    variables: {
      ...databaseVariables(database, world),
      ...(supabase && isLocal && { [variableNames.supabase]: localSupabaseSecret }),
    },
  };
}

const usualPort = 8080;

function fromPlace(path: string, place: string): string {
  if (place === '') return path;
  return path.startsWith(place) ? path.slice(place.length) : `../${path}`;
}

function databaseVariables(database: FirstSource, { secret }: World): Readonly<Record<string, string>> {
  return database.kind === 'embedded'
    ? { [variableNames.password]: secret(secretLength) }
    : { [database.variable]: database.address };
}

/** Returns the variables that a service config of ours reads, even if it came from a colleague without its `.env`. */
function variablesFor(
  { service }: Surroundings,
  made: ServiceFiles | undefined,
  { secret }: World,
): Readonly<Record<string, string>> {
  const fresh = (...names: readonly (string | undefined)[]) =>
    Object.fromEntries(names.flatMap((name) => (name === undefined ? [] : [[name, secret(secretLength)]])));
  if (made !== undefined) return { ...fresh(variableNames.token, variableNames.key), ...made.variables };
  if (service === undefined || !isMadeForHere(service.file)) return {};
  const { count, variable } = service.file;
  const inList = (list: string, key: string) =>
    Array.from({ length: count(list) }, (_, index) => variable(`${list}/${index}${key}`));
  return fresh(
    ...inList('/api/tokens', ''),
    ...inList('/client_auth/jwks/keys', '/k'),
    ...inList('/replication/connections', '/password'),
  );
}

interface Outcome {
  readonly create?: NewFile;
  readonly change?: FileChange;
  readonly keep?: string;
}

async function addOrCreate(
  path: string,
  readers: NewFile['readers'],
  world: World,
  add: (text: string) => Addition | undefined,
): Promise<Outcome> {
  if (world.files.exists(path)) return addOrKeep(path, readers === 'owner' ? 'owner' : 'same', world, add);
  const addition = add(path === '.env' ? envHeading : '');
  return addition === undefined ? {} : { create: { path, text: addition.text, readers } };
}

const envHeading = '# Secrets of this machine. Keep this file out of version control.\n';

async function addOrKeep(
  path: string,
  readers: FileChange['readers'],
  { files }: World,
  add: (text: string) => Addition | undefined,
): Promise<Outcome> {
  if (!files.exists(path) || files.isFolder(path)) return {};
  const text = await files.read(path).catch((error: unknown) => {
    throw new CliFailure(explainFile('read', path, error));
  });
  // These characters replace bytes that cannot be written back.
  if (text.includes('\uFFFD')) throw new CliFailure(`${path} is not encoded as UTF-8. Convert it first.`);
  const addition = add(text);
  return addition === undefined ? { keep: path } : { change: { path, readers, ...addition } };
}

function newFile(path: string, text: string): NewFile {
  return { path, text, readers: 'all' };
}

function adviceOn(
  { syncConfigs, service, schema }: Surroundings,
  { postgres, supabase }: InitOptions,
): readonly string[] {
  const missing = missingNames(schema);
  const isOwn = service === undefined && postgres === undefined && !supabase;
  return [
    ...(syncConfigs.length > 1
      ? [
          `There are several sync configs: ${syncConfigs.join(', ')}. Specify one of them: headwater dev FILE.`,
        ]
      : []),
    ...(isOwn && syncConfigs.length > 0 && missing.length > 0
      ? [`${noFileCreates(schema)} ${missing.join(', ')}. Add one (pg_dump --schema-only > schema.sql).`]
      : []),
    ...(service !== undefined && (postgres !== undefined || supabase)
      ? [
          `${service.file.path} already exists, so it determines which database is read. To read another one, use headwater dev --source.`,
        ]
      : []),
  ];
}
