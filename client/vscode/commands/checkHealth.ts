/** Asks now, and writes all that is known into the log. */
import { l10n } from 'vscode';
import type { Diagnosis, ReportedError, TableStatus } from '../../api/answers.ts';
import { countText, wordsFor } from '../../health/words.ts';
import type { Services } from '../services.ts';
import { connectSelected } from './target.ts';
import { withProgress } from './telling.ts';

export async function checkHealth(services: Services): Promise<void> {
  const { log, health, local, shortfalls } = services;
  await withProgress(log, l10n.t('Checking'), async () => {
    const connected = await connectSelected(services);
    if (connected === undefined) return;
    const { target } = connected;
    const now = await health.askNow();
    const ofProcess = target.kind === 'local' && local ? { local: local.state() } : {};
    const shortfall = shortfalls.of(target);
    const { text, explanation } = wordsFor({ name: target.name, health: now, shortfall, ...ofProcess });
    log.info([text.replace(/^\$\([^)]+\) /, ''), ...explanation].join('\n  '));
    if ('diagnosis' in now) for (const line of linesOf(now.diagnosis)) log.info(line);
    log.show(true);
  });
}

function linesOf({ sources, active, pending, clients }: Diagnosis): readonly string[] {
  return [
    ...sources.flatMap(({ id, uri = '', connected, errors }) => [
      `source ${id} ${uri}: ${connected ? 'connected' : 'not reachable'}`,
      ...errors.map(lineOfError),
    ]),
    ...[active, pending].flatMap((deployed) =>
      deployed === undefined
        ? []
        : [
            `${deployed === active ? 'active' : 'being copied'} ${deployed.slot}${deployed.phase ? `: ${deployed.phase}` : ''}`,
            ...deployed.tables.map(lineOfTable),
            ...deployed.errors.map(lineOfError),
          ],
    ),
    ...(clients ? [`connected clients: ${clients.length}`] : []),
  ];
}

function lineOfTable({ schema, name, copiedRows, keys }: TableStatus): string {
  const rows = copiedRows === undefined ? '' : `, ${countText(copiedRows)} rows`;
  return `  table ${schema}.${name}, by ${keys.join(', ') || 'no key'}${rows}`;
}

function lineOfError({ level, message, at }: ReportedError): string {
  return `  ${level === 'fatal' ? 'error' : 'warning'}: ${message}${at === undefined ? '' : ` (${new Date(at).toISOString()})`}`;
}
