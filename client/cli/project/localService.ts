/** The service of `headwater dev` if the project has no service config, or if its config is not meant for this machine. */
import {
  type Analysis,
  analyze,
  type FoundSchema,
  messageOf,
  severityOf,
} from '../../../server/engine/index.ts';
import { portsToTry } from '../../project/freePort.ts';
import { describeOrigin, type LocalSource, localConfig, placesInBase } from '../../project/localConfig.ts';
import { variables } from '../../project/localNames.ts';
import type { ProjectFile } from '../../project/projectFile.ts';
import { originVariable, portOf, usualDataFolder } from '../../project/serviceConfig.ts';
import { CliFailure } from '../failure.ts';
import { isDatabaseAddress } from '../sql/address.ts';
import type { World } from '../world.ts';
import { lastPort, makeSecrets, type Secrets } from './running.ts';
import { type BaseFile, foreignSourcesOf } from './serviceConfig.ts';

interface LocalStart {
  /** The service config, as YAML. */
  readonly text: string;
  /** A free port. Absent if the user has requested a port. */
  readonly port?: number;
  readonly env: Readonly<Record<string, string>>;
  readonly secrets: Secrets;
  /** A sentence about the replaced parts; absent if there was nothing to replace. */
  readonly notice?: string;
}

interface LocalChoices {
  readonly base: BaseFile | undefined;
  readonly schema: FoundSchema;
  /** Replaces the embedded database: an address, a variable that contains one, or `config`. */
  readonly source: string | undefined;
  /** Whether a new embedded database gets the rows of the SQL files with seed data. */
  readonly seed: boolean;
  readonly port: string | undefined;
}

export async function startOf(asked: LocalChoices, world: World): Promise<LocalStart> {
  const { base } = asked;
  const secrets = await makeSecrets(world);
  const { source, env } = sourceOf(asked, world);
  const before = await lastPort(world);
  const usual = (base && portOf(base.file)) || usualPort;
  const preferred = before === undefined ? [] : [before];
  const port =
    asked.port === undefined
      ? await world.firstFreePort(portsToTry([...preferred, usual], usual))
      : undefined;
  const settings = {
    storage: usualDataFolder,
    port: port ?? Number(asked.port),
    source,
    // A value with `${NAME}` does not count as set, because only Docker Compose replaces it.
    isSet: (name: string) => !/^$|\$\{/.test(world.env[name] ?? ''),
  };
  const text = localConfig(base?.text, settings);
  // A config with errors is not used, so that the service still starts.
  const analysis = analyze(text, { kind: 'service' });
  const isUsable = analysis.findings.every(({ code }) => severityOf(code) !== 'error');
  return {
    text: isUsable ? text : localConfig(undefined, settings),
    ...(port !== undefined && { port }),
    env: {
      ...env,
      [variables.token]: secrets.token,
      [variables.key]: secrets.key,
      ...(base &&
        isUsable && {
          [originVariable]: describeOrigin(base.file.path, base.text, settings, 'headwater dev'),
        }),
    },
    secrets,
    ...(base && {
      notice: noticeFor(base.file, source, isUsable ? undefined : mistakeIn(analysis, base, settings)),
    }),
  };
}

type LocalSettings = Parameters<typeof localConfig>[1];

/** Returns the first mistake in the used part of the file, with its place in the file. */
function mistakeIn({ findings, service }: Analysis, base: BaseFile, settings: LocalSettings): string {
  const wrong = findings.find(({ code }) => severityOf(code) === 'error');
  if (wrong === undefined) return '';
  const places = placesInBase(base.text, settings);
  const around = [...(service?.places ?? [])].findLast(
    ([pointer, { node }]) =>
      places[pointer] !== undefined && node.span.start <= wrong.span.start && wrong.span.end <= node.span.end,
  );
  const place = around && places[around[0]];
  return place === undefined ? '' : ` (${base.file.path}:${place}: ${messageOf(wrong)})`;
}

/** @param mistake the reason why the config cannot be used; undefined if it is used */
function noticeFor(file: ProjectFile, source: LocalSource, mistake: string | undefined): string {
  const { path } = file;
  const database =
    source.kind === 'embedded' ? 'database, storage, port and tokens' : 'storage, port and tokens';
  const keys =
    mistake === undefined
      ? 'its client_auth is kept, and a key of this machine is added'
      : `its client_auth cannot be used${mistake}`;
  const [foreign] = source.kind === 'embedded' ? foreignSourcesOf(file) : [];
  const rest =
    foreign === undefined
      ? `To run it as it is, use headwater serve -c ${path}.`
      : `Its source is of type ${foreign}, which this service does not replicate, so the database here is PostgreSQL.`;
  return `${path} was not written for this machine, so the service uses its own ${database} here; ${keys}. ${rest}`;
}

/** The port of the reference service. */
const usualPort = 8080;

interface ChosenSource {
  readonly source: LocalSource;
  readonly env: Readonly<Record<string, string>>;
}

function sourceOf({ source: named, schema, seed, base }: LocalChoices, { env }: World): ChosenSource {
  const { paths } = schema;
  if (named === undefined) return { source: { kind: 'embedded', schema: paths, seed }, env: {} };
  if (named === 'config') {
    if (base?.file.has('/replication') !== true)
      throw new CliFailure(
        '--source config needs a service config with `replication`, but there is none here.',
      );
    return { source: { kind: 'configured', schema: paths }, env: {} };
  }
  const address = isDatabaseAddress(named) ? named : env[named];
  if (address === undefined || !isDatabaseAddress(address))
    throw new CliFailure(
      `--source must be \`config\`, an address that begins with postgresql://, or the name of a variable that contains one, not ${isDatabaseAddress(named) ? 'that' : named}.`,
    );
  const url = URL.parse(address);
  const isHere = url !== null && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  return { source: { kind: 'address', isEncrypted: !isHere }, env: { [variables.source]: address } };
}

/** Returns the variables that contain the address of a PostgreSQL server, by the names that other tools use. */
export function addressesIn(env: World['env']): readonly string[] {
  return Object.keys(env)
    .filter((name) => isDatabaseAddress(env[name] ?? ''))
    .toSorted();
}
