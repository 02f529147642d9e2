/** The subjects of `headwater doctor`: the files of this folder, the source, and the service. */
import manifest from '../../../package.json' with { type: 'json' };
import { analyze, missingIn, tablesReadBy } from '../../../server/engine/index.ts';
import type { Api } from '../../api/api.ts';
import { sentencesAbout } from '../../api/missing.ts';
import type { ConfigFile, Patient, Variables } from '../../health/checkup/checkup.ts';
import { isHeard } from '../../health/health.ts';
import { diagnoseInTime } from '../../health/signOfLife.ts';
import { signToken } from '../clientTokens.ts';
import type { Call } from '../command.ts';
import { CliFailure, isCliFailure } from '../failure.ts';
import { findInstance, pointToRunning } from '../instance.ts';
import { sourceAt } from '../project/databaseTables.ts';
import { sourceOf } from '../project/missing.ts';
import { tablesOfProject } from '../project/projectTables.ts';
import { findBase, findBeside, isMadeForHere } from '../project/serviceConfig.ts';
import { nameSyncConfig, readSyncText } from '../project/syncConfig.ts';
import { readText } from '../read.ts';
import { checkText, type Diagnostic } from '../validate/checkText.ts';
import type { World } from '../world.ts';
import { accessTo, directAddress, isSourceNamedHere } from './sourceAccess.ts';

type DoctorCall = Call<'service' | 'directory' | 'config' | 'token' | 'user'>;

interface OpenPatient extends Patient {
  readonly close: () => Promise<void>;
}

export async function openPatient(call: DoctorCall): Promise<OpenPatient> {
  const { world, text } = call;
  const file = await readFile(call);
  const base = await findBase(world, text('config'));
  const isHere = await isSourceNamedHere(base, call);
  const address = isHere && base !== undefined ? directAddress(base) : undefined;
  const apis: Api[] = [];
  const rememberOpening = async (open: () => Promise<Api>): Promise<Api> => {
    const api = await open();
    apis.push(api);
    return api;
  };
  const instance = once(() => findInstance(call));
  const service = once(async () => {
    const found = await instance();
    const api = await rememberOpening(() => world.openApi(found));
    // All checks use one answer, so that a service that does not answer delays only one of them.
    const diagnose = once(() =>
      diagnoseInTime(api, { content: true, clients: true }).catch(async (error: unknown) => {
        await pointToRunning(error, found, call);
        throw error;
      }),
    );
    return { ...api, diagnose };
  });
  return {
    file,
    variables: variablesOf(
      base ?? (file.kind === 'read' ? await findBeside(file.path, world) : undefined),
      world.env,
    ),
    version: manifest.version,
    source: () => {
      const named = file.kind === 'read' ? { file } : {};
      return accessTo({ isHere, address, base, ...named }, service, call);
    },
    service,
    missing: async () => {
      if (file.kind === 'absent') return undefined;
      const known =
        address === undefined
          ? await service()
              .then(async (api) => (isHeard(await api.diagnose()) ? sourceOf(api, world) : undefined))
              .catch(() => undefined)
          : await sourceAt(address, world).catch(() => undefined);
      if (known === undefined) return undefined;
      const analysis = analyze(file.text, { ...known, kind: 'sync', fileName: file.path });
      return sentencesAbout(missingIn(analysis));
    },
    client: async () => {
      const { url } = await instance();
      const named = text('token');
      const token = named ?? (await sign(call));
      if (typeof token === 'object') return token.why;
      const tokenOrigin = named === undefined ? 'the service config' : '--token';
      const api = await rememberOpening(() => world.openApi({ url, token, tokenOrigin }));
      return { api, token: named === undefined ? 'signed' : 'named' };
    },
    close: async () => void (await Promise.allSettled(apis.map((api) => api.close()))),
  };
}

/** The user is asked for consent only once. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= ask();
    return asked;
  };
}

async function sign({ text, world }: DoctorCall): Promise<string | { readonly why: string }> {
  try {
    const signed = await signToken({ sub: text('user') ?? 'doctor' }, { config: text('config') }, world);
    return signed.token;
  } catch (error) {
    if (isCliFailure(error)) return { why: error.message };
    throw error;
  }
}

async function readFile(call: DoctorCall): Promise<ConfigFile> {
  const { world } = call;
  try {
    const path = await nameSyncConfig(call);
    const text = await readSyncText(path, world.files);
    const { kind, config } = analyze(text, { fileName: path });
    if (kind !== 'sync') throw new CliFailure(`${path} is not a sync config.`);
    const schema = config && (await tablesOfProject(config, path, world));
    // The whole file is checked, so that lines count from its beginning and `validate` reports the same problems.
    const { diagnostics } = checkText(path, await readText(path, world.files), schema, world);
    const sentencesOf = (severity: Diagnostic['severity']) =>
      diagnostics
        .filter((each) => each.severity === severity)
        .map(({ range, message }) => `${path}:${range.start.line + 1}: ${message}`);
    return {
      kind: 'read',
      path,
      text,
      errors: sentencesOf('error'),
      warnings: sentencesOf('warning'),
      tables: config === undefined ? [] : tablesReadBy(config),
    };
  } catch (error) {
    if (!isCliFailure(error)) throw error;
    return {
      kind: 'absent',
      sentence: error.message,
      step: 'Specify the file, or create a project with headwater init.',
    };
  }
}

function variablesOf(base: Awaited<ReturnType<typeof findBase>>, env: World['env']): Variables {
  if (base === undefined)
    return { kind: 'unchecked', why: 'Not checked: there is no service config here that names them.' };
  const unset = unsetIn(base.text, env);
  if (unset.length === 0 || isMadeForHere(base.file)) return { kind: 'checked', unset };
  return {
    kind: 'unchecked',
    why: `Not checked: ${base.file.path} was not written for this machine. These of its variables have no value here: ${unset.join(', ')}.`,
    step: 'Write those of client_auth to .env. Without them, headwater dev refuses the tokens of the app.',
  };
}

/** Returns the variables that are not set. Variables in comments do not count. */
function unsetIn(text: string, env: World['env']): readonly string[] {
  const names = text
    .split('\n')
    .filter((line) => !line.trim().startsWith('#'))
    .flatMap((line) => [...line.matchAll(/!env\s+["']?(\w+)/g)].map(([, name = '']) => name));
  return [...new Set(names)].filter((name) => !env[name]);
}
