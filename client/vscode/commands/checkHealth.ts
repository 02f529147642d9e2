/** Runs a checkup, writes its results into the log in the order of `headwater doctor`, and reports how many checks failed. */
import { DiagnosticSeverity, l10n, languages, type TextDocument } from 'vscode';
import { serverId } from '../../../server/protocol.ts';
import { splitPath } from '../../../server/shared/uri.ts';
import type { Diagnosis } from '../../api/answers.ts';
import type { Api } from '../../api/api.ts';
import { sentencesAbout } from '../../api/missing.ts';
import type { CheckResult } from '../../health/checkup/check.ts';
import type { ConfigFile } from '../../health/checkup/checkup.ts';
import { diagnosisLines } from '../../health/diagnosisLines.ts';
import { isHeard } from '../../health/health.ts';
import { diagnoseInTime } from '../../health/signOfLife.ts';
import { wordsFor } from '../../health/words.ts';
import { localClientKey, signClientToken } from '../../project/clientToken.ts';
import { contentOf, findConfig } from '../configs.ts';
import { loadOnDemand } from '../loading.ts';
import type { Services } from '../services.ts';
import type { Target } from '../targets/target.ts';
import { type ConnectedTarget, connectSelected } from './target.ts';
import { complain, offerLog, withProgress } from './telling.ts';

export async function checkHealth(services: Services): Promise<void> {
  const { log, health, local, shortfalls } = services;
  await withProgress(log, l10n.t('Checking'), async () => {
    const connected = await connectSelected(services);
    if (connected === undefined) return;
    const { target } = connected;
    const now = await health.askNow();
    const { text, explanation } = wordsFor({
      name: target.name,
      health: now,
      shortfall: shortfalls.of(target),
      local: target.kind === 'local' ? local?.state() : undefined,
    });
    log.info([text, ...explanation].join('\n  '));
    const results = await checkAll(services, connected);
    if ('diagnosis' in now) {
      const { active, pending } = now.diagnosis;
      for (const line of diagnosisLines(now.diagnosis, ink)) log.info(line);
      for (const { slot } of [active ?? [], pending ?? []].flat()) log.info(`Slot: ${slot}`);
    }
    const open = results.filter(({ state }) => state !== 'good').length;
    if (open === 0) offerLog(log, l10n.t('{0}: all {1} checks passed.', target.name, results.length));
    else complain(log, l10n.t('{0}: {1} of {2} checks did not pass.', target.name, open, results.length));
  });
}

const same = (text: string): string => text;
/** The log has no colours, and VS Code escapes control characters. */
const ink = { red: same, yellow: same, green: same, bold: same, plain: same };

async function checkAll(
  services: Services,
  { target, api }: ConnectedTarget,
): Promise<readonly CheckResult[]> {
  const { checkUp, sourceThrough } = await loadOnDemand();
  const document = await findConfig(undefined);
  // All checks use one answer, so that a service that does not answer delays only one of them.
  const asked = diagnoseInTime(api, { content: true, clients: true });
  const service = async () => ({ ...api, diagnose: () => asked });
  const diagnosis = await asked.catch(() => undefined);
  let client: Api | undefined;
  try {
    return await checkUp(
      {
        file: fileOf(document, diagnosis),
        version: services.context.extension.packageJSON.version as string,
        source: () => sourceThrough(service),
        service,
        missing: async () => {
          // A source that does not answer has no known tables.
          if (document === undefined || diagnosis === undefined || !isHeard(diagnosis)) return undefined;
          const { missing } = await services.shortfalls.check(api, contentOf(document));
          return missing && sentencesAbout(missing);
        },
        client: async () => {
          const token = await tokenFor(target, services);
          if (token === undefined) return l10n.t('There is no key here to sign a client token.');
          client = await services.connectAs(target, {
            token,
            origin: l10n.t('the key in the service config'),
          });
          return { api: client, token: 'signed' };
        },
      },
      (check) => writeCheck(check, services),
    );
  } finally {
    await client?.close();
  }
}

function writeCheck({ id, state, sentence, step }: CheckResult, { log }: Services): void {
  const line =
    step === undefined ? `${id}: ${sentence}` : `${id}: ${sentence}\n  ${l10n.t('Next: {0}', step)}`;
  if (state === 'bad') log.error(line);
  else if (state === 'warning') log.warn(line);
  else log.info(line);
}

/** Returns the file with the language server's findings. */
function fileOf(document: TextDocument | undefined, diagnosis: Diagnosis | undefined): ConfigFile {
  if (document === undefined)
    return {
      kind: 'absent',
      sentence: l10n.t('No sync config is open.'),
      step: l10n.t('Open the sync config to check.'),
    };
  const sentencesOf = (severity: DiagnosticSeverity) =>
    languages
      .getDiagnostics(document.uri)
      .filter((each) => each.source === serverId && each.severity === severity)
      .map(({ range, message }) => `${range.start.line + 1}: ${message}`);
  return {
    kind: 'read',
    path: splitPath(document.uri.path).name,
    text: contentOf(document),
    tables:
      (diagnosis?.pending ?? diagnosis?.active)?.tables.map(({ schema, name }) => `${schema}.${name}`) ?? [],
    errors: sentencesOf(DiagnosticSeverity.Error),
    warnings: sentencesOf(DiagnosticSeverity.Warning),
  };
}

async function tokenFor(target: Target, { local }: Services): Promise<string | undefined> {
  const key = target.kind === 'local' && local ? localClientKey(await local.key()) : target.clientKey;
  return key && signClientToken({ sub: 'doctor' }, key, Date.now()).token;
}
