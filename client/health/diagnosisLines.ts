/** A diagnosis as text, for terminals and logs. */
import type { Deployment, Diagnosis, ReportedError, SourceStatus } from '../api/answers.ts';
import { nameOfConfig } from '../api/deployedConfig.ts';
import { plainDuration } from '../duration.ts';
import { t } from '../l10n.ts';
import { sizeText } from './amounts.ts';
import { copyText } from './copyWords.ts';
import { progressOf } from './health.ts';
import { describePast } from './problems.ts';
import { rowsOfTable } from './tableState.ts';

/** The colours of a text. `plain`: makes a foreign text safe for the place where it is shown. */
type Ink = Readonly<Record<'red' | 'yellow' | 'green' | 'bold' | 'plain', (text: string) => string>>;

/** Returns the lines about the source, the configs with their tables, all problems and the clients. */
export function* diagnosisLines(diagnosis: Diagnosis, ink: Ink): Generator<string> {
  const { sources, active, pending, clients } = diagnosis;
  if (sources.length === 0) yield t('No source database is configured.');
  for (const source of sources) yield* sourceLines(source, ink);
  if (active) yield* deployedLines('Active', active, diagnosis.at, ink);
  else yield ink.yellow(t('No sync config is active.'));
  if (pending) yield* deployedLines('Copying', pending, diagnosis.at, ink);
  if (clients) yield `${clients.length} ${clients.length === 1 ? 'client is' : 'clients are'} connected.`;
}

function* sourceLines({ id, uri, connected, errors }: SourceStatus, ink: Ink): Generator<string> {
  const state = connected ? ink.green('connected') : ink.red('not connected');
  yield `Source ${ink.plain([id, uri].filter(Boolean).join(', '))}: ${state}`;
  yield* errorLines(errors, ink);
}

function* deployedLines(title: string, deployed: Deployment, at: number, ink: Ink): Generator<string> {
  const { lsn, lagBytes, tables, errors, phase, copy, deployedAt } = deployed;
  const progressAt = progressOf(deployed);
  const when = deployedAt === undefined ? '' : `, deployed ${plainDuration(at - deployedAt)} ago`;
  yield `${ink.bold(`${title}: ${nameOfConfig(deployed)}`)}${when}`;
  if (phase !== undefined) yield `  Phase: ${phase}`;
  if (copy !== undefined) {
    const state = copy.isPaused ? ink.yellow('paused') : 'running';
    yield `  Copy: ${[state, copyText(copy)].filter(Boolean).join(', ')}`;
  }
  if (lsn !== undefined) yield `  Position: ${lsn}`;
  if (progressAt !== undefined) yield `  Last progress: ${plainDuration(at - progressAt)} ago`;
  if (lagBytes !== undefined) yield `  Behind the source: ${sizeText(lagBytes)}`;
  for (const table of tables) {
    const { schema, name, verifiedAt } = table;
    const rows = rowsOfTable(table);
    const verified =
      verifiedAt === undefined ? '' : `, compared with the source ${plainDuration(at - verifiedAt)} ago`;
    yield `  Table ${schema}.${name}${rows === undefined ? '' : `: ${rows}`}${verified}`;
  }
  for (const error of errors) {
    const past = describePast(error, deployed, at);
    if (past === undefined) yield* errorLines([error], ink);
    else yield `  Earlier: ${ink.plain(past)}`;
  }
}

function* errorLines(errors: readonly ReportedError[], { red, yellow, plain }: Ink): Generator<string> {
  for (const { level, message } of errors)
    yield `  ${level === 'fatal' ? red('Error:') : yellow('Warning:')} ${plain(message)}`;
}
