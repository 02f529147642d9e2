/** The functions behind the tools of `headwater mcp`: the commands and the engine, in the world that an agent can see. */
import manifest from '../../../package.json' with { type: 'json' };
import {
  type Analysis,
  analyze,
  isCode,
  type KnownSource,
  nearest,
  severityOf,
  titleOf,
} from '../../../server/engine/index.ts';
import {
  codesInOrder,
  describeStreams,
  languageReference,
} from '../../../server/features/judging/judging.ts';
import { joinPath } from '../../../server/shared/uri.ts';
import type { CommandReport, Judge, JudgedSubject, RepairedText, ToolReach } from '../../agents/judge.ts';
import { isFailure } from '../../api/failure.ts';
import type { Call } from '../command.ts';
import { CliFailure, isCliFailure } from '../failure.ts';
import { findLocalUrl } from '../instance.ts';
import { silentProgress } from '../progress.ts';
import { tablesOfProject } from '../project/projectTables.ts';
import { locateSyncConfig, readSyncText } from '../project/syncConfig.ts';
import { schemaLookup } from '../schemaLookup.ts';
import { fixText } from '../validate/fix.ts';
import { filesToCheck } from '../validate/named.ts';
import type { World } from '../world.ts';
import { agentWorld } from './agentWorld.ts';
import { argumentsOf } from './arguments.ts';
import { checkForAgents, findingsOf } from './findings.ts';
import { withoutSecretsOf } from './secrets.ts';

/** Runs `headwater …args` in a world. */
type RunCommand = Call['run'];

export function judgeIn(world: World, runCommand: RunCommand): Judge {
  const look = (reach: ToolReach, drafts: Readonly<Record<string, string>>, signal: AbortSignal) =>
    agentWorld(world, { reach, drafts, signal });
  const quiet = (signal: AbortSignal) => look('nothing', {}, signal).world;

  return {
    version: manifest.version,
    syncConfig: () => locateSyncConfig(quiet(world.signal)),

    async run({ words, options = {}, subject, drafts = {}, reach }, signal): Promise<CommandReport> {
      const isTest = words[0] === 'test';
      const found =
        subject &&
        (isTest ? await testSubject(subject, quiet(signal)) : await draftOf(subject, reach, quiet(signal)));
      const all = { ...drafts, ...(found?.text !== undefined && { [found.path]: found.text }) };
      const { world: inside, printed, complaints } = look(reach, all, signal);
      const service = reach === 'reads the local service' || reach === 'deploys to the local service';
      const told = service ? { ...options, service: await findLocalUrl(inside) } : options;
      const code = await runCommand(argumentsOf(words, told, found?.path), inside);
      return { code, lines: printed.flatMap((line) => line.split('\n')), remarks: complaints };
    },

    async check(subject, signal) {
      const inside = quiet(signal);
      if (subject.file === undefined && subject.text === undefined) {
        const named = await filesToCheck([], inside);
        const lookup = await schemaFor(inside);
        const checked = [];
        for (const each of named) {
          signal.throwIfAborted();
          checked.push(await checkForAgents({ ...each, text: undefined }, lookup, inside));
        }
        return checked;
      }
      const path = subject.file ?? (await locateSyncConfig(inside).catch(() => 'sync.yaml'));
      const { world: drafted } = look('nothing', draft(path, subject.text), signal);
      return [
        await checkForAgents({ path, isNamed: true, text: subject.text }, await schemaFor(drafted), drafted),
      ];
    },

    async repair(subject, signal): Promise<RepairedText> {
      const inside = quiet(signal);
      const { path, text, known } = await readSubject(subject, inside);
      const read = (content: string) => analyze(content, { ...known, kind: 'sync', fileName: path });
      const fixed = fixText(path, text, known);
      const after = read(fixed);
      return {
        file: path,
        text: fixed,
        repaired: countsOfRepaired(read(text), after),
        left: findingsOf(path, after),
      };
    },

    async page(code) {
      const name = /^[\w-]{1,100}$/.test(code) ? code : '';
      for (const folder of ['rules', 'errors'])
        try {
          return { code: name, page: await world.readPage(joinPath(folder, name)) };
        } catch {
          // The code may have a page in the other folder.
        }
      if (isCode(name)) return { code: name, page: `# ${name}\n\n${titleOf(name)}.` };
      const near = nearest(code, codesInOrder);
      throw new CliFailure(
        `There is no code ${JSON.stringify(code.slice(0, 100))}.${near === undefined ? ' The resource headwater://codes lists all codes.' : ` Did you mean ${near}?`}`,
      );
    },

    codes: () => codesInOrder.map((code) => ({ code, severity: severityOf(code), title: titleOf(code) })),

    async tables(subject, signal) {
      const known = await knownTables(subject, quiet(signal));
      return (known?.catalog.tables ?? []).map((table) => lineOf(table, known?.defaultSchema));
    },

    async streams(subject, signal) {
      const { path, text, known } = await readSubject(subject, quiet(signal));
      const analysis = analyze(text, { ...known, kind: 'sync', fileName: path });
      const isUnreadable =
        analysis.findings.some(({ code }) => code === 'yaml-syntax') ||
        (analysis.config?.definitions.length === 0 &&
          analysis.findings.some(({ code }) => severityOf(code) === 'error'));
      if (isUnreadable) {
        const what = subject.text === undefined ? path : 'The text';
        throw new CliFailure(
          `${what} has errors, so it cannot be described. Call validate_config to see them.`,
        );
      }
      return describeStreams(analysis);
    },

    reference: languageReference,
    isFailure: (error): error is Error => isCliFailure(error) || isFailure(error),
    withoutSecrets: withoutSecretsOf(world.env),
  };
}

/** Returns by how many the findings of each code have decreased. */
function countsOfRepaired(before: Analysis, after: Analysis): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  const add = ({ findings }: Analysis, number: number): void => {
    for (const { code } of findings) counts.set(code, (counts.get(code) ?? 0) + number);
  };
  add(before, 1);
  add(after, -1);
  return Object.fromEntries([...counts].filter(([, count]) => count > 0));
}

function draft(path: string, text: string | undefined): Readonly<Record<string, string>> {
  return text === undefined ? {} : { [path]: text };
}

/** Returns the schema that the files of the workspace create. */
function schemaFor(world: World): ReturnType<typeof schemaLookup> {
  return schemaLookup({
    texts: () => [],
    text: () => undefined,
    has: () => true,
    world,
    progress: silentProgress,
  });
}

interface ReadSubject {
  readonly path: string;
  readonly text: string;
  readonly known: KnownSource | undefined;
}

/** Reads a text that must be a sync config, because the text of any other file must not reach an agent. */
async function readSubject({ file, text }: JudgedSubject, world: World): Promise<ReadSubject> {
  const path = file ?? (await locateSyncConfig(world).catch((error: unknown) => takeAsIs(text, error)));
  const content = text ?? (await readSyncText(path, world.files));
  const { kind } = analyze(content, { fileName: path });
  if (kind !== 'sync')
    throw new CliFailure(
      text === undefined
        ? `${path} is not a sync config: it has no \`streams\` and no \`bucket_definitions\`.`
        : 'The text is not a sync config: it has no `streams` and no `bucket_definitions`.',
    );
  return { path, text: content, known: await (await schemaFor(world))(path, content) };
}

/** Returns a name for a text without a file. Throws the error if there is no text either. */
function takeAsIs(text: string | undefined, error: unknown): string {
  if (text === undefined) throw error;
  return 'sync.yaml';
}

/** Returns the text as a draft, so that a command does not read the secrets around a sync config inside of a service config. */
async function draftOf(subject: JudgedSubject, reach: ToolReach, world: World) {
  const { path, text } = await readSubject(subject, world);
  return { path, text: reach === 'nothing' || subject.text !== undefined ? text : undefined };
}

async function testSubject({ file, text }: JudgedSubject, world: World) {
  if (file === undefined && text === undefined) return undefined;
  const path = file ?? 'text.sync-test.yaml';
  const content =
    text ?? (world.files.isFolder(path) ? undefined : await world.files.read(path).catch(() => undefined));
  if (content !== undefined && analyze(content, { fileName: path }).kind !== 'tests')
    throw new CliFailure(
      `${path} is not a file of access tests, which has \`config:\`, and \`tests:\` or \`always:\`.`,
    );
  return { path, text };
}

/** Returns the tables of the existing sync config. If there is none, returns all tables that the files create. */
async function knownTables(subject: JudgedSubject, world: World): Promise<KnownSource | undefined> {
  const path = subject.file ?? (await locateSyncConfig(world).catch(() => undefined));
  if (path !== undefined || subject.text !== undefined)
    return (await readSubject({ ...subject, file: path }, world)).known;
  const { config } = analyze('config: { edition: 3 }\nstreams: {}\n', { kind: 'sync' });
  return config && tablesOfProject(config, 'sync.yaml', world);
}

type Table = KnownSource['catalog']['tables'][number];

/** Writes a table on one line, for example `lists(id uuid, name text)`. */
function lineOf({ schema, name, columns, open }: Table, defaultSchema: string | undefined): string {
  const of = [...columns.values()].map((column) =>
    [column.name, column.sourceType ?? column.type].filter(Boolean).join(' '),
  );
  return `${schema === defaultSchema ? '' : `${schema}.`}${name}(${[...of, ...(open ? ['…'] : [])].join(', ')})`;
}
