/** Asks a service to check the config against its database, and shows its answers next to our own diagnostics. */
import {
  Diagnostic,
  DiagnosticSeverity,
  Disposable,
  l10n,
  languages,
  Range,
  type TextDocument,
  workspace,
} from 'vscode';
import { serverId } from '../../../server/protocol.ts';
import type { ReportedError } from '../../api/answers.ts';
import type { Api } from '../../api/api.ts';
import { placeInConfig } from '../../api/placeInConfig.ts';
import { isUnanswered } from '../../health/health.ts';
import { chooseConfig, contentOf } from '../configs.ts';
import type { Services } from '../services.ts';
import type { Target } from '../targets/target.ts';
import { connectSelected } from './target.ts';
import { complain, say, untilAnswered, withProgress } from './telling.ts';

const found = languages.createDiagnosticCollection('headwater-service');

/**
 * Removes verdicts of a service, because they are valid only for the checked text, and only while that service is selected and
 * answers.
 */
export function forgetVerdicts({ targets, health, onDidChange }: Services): Disposable {
  return Disposable.from(
    found,
    targets.onDidChange(() => found.clear()),
    onDidChange(() => {
      if (isUnanswered(health.health())) found.clear();
    }),
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) found.delete(document.uri);
    }),
  );
}

export async function validateOnService(services: Services, named: unknown): Promise<void> {
  const { log } = services;
  const document = await chooseConfig(named, () =>
    complain(log, l10n.t('Open the sync config to validate.')),
  );
  if (document === undefined) return;
  await withProgress(log, l10n.t('Validating'), async () => {
    const connected = await connectSelected(services);
    if (connected !== undefined) await validateText(services, document, connected.target, connected.api);
  });
}

export async function validateText(
  { log }: Services,
  document: TextDocument,
  { name }: Target,
  api: Api,
): Promise<void> {
  const content = contentOf(document);
  const verdict = await untilAnswered(name, (signal) => api.validate(content, signal));
  const ours = languages.getDiagnostics(document.uri).filter(({ source }) => source === serverId);
  const placed = verdict.map((error) => ({ ...error, location: placeInConfig(error, content) }));
  const diagnostics = placed
    .flatMap((error) => toDiagnostic(document, error, name) ?? [])
    .filter((diagnostic) => !ours.some((each) => saysTheSame(each, diagnostic)));
  found.set(document.uri, diagnostics);
  const elsewhere = placed.filter(({ location }) => location === undefined);
  const summary = summaryOf(verdict, name);
  // An editor shows each diagnostic at a line, so a problem that is not in the file is only reported.
  if (elsewhere.length === 0) say(log, summary);
  else complain(log, [...elsewhere.map(({ message }) => message), summary].join('\n'));
}

function summaryOf(verdict: readonly ReportedError[], target: string): string {
  const errors = verdict.filter(({ level }) => level === 'fatal').length;
  const warnings = verdict.length - errors;
  if (verdict.length === 0) return l10n.t('{0} found no problems.', target);
  if (errors === 0) return l10n.t('{0} finds no error. Warnings: {1}.', target, warnings);
  return l10n.t('{0} finds problems. Errors: {1}. Warnings: {2}.', target, errors, warnings);
}

function toDiagnostic(
  document: TextDocument,
  {
    level,
    message,
    location,
  }: Pick<ReportedError, 'level' | 'message'> & { location: ReportedError['location'] },
  target: string,
): Diagnostic | undefined {
  if (location === undefined) return undefined;
  const range = new Range(document.positionAt(location.start), document.positionAt(location.end));
  const severity = level === 'fatal' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning;
  const diagnostic = new Diagnostic(range, message, severity);
  diagnostic.source = `${serverId} (${target})`;
  return diagnostic;
}

function saysTheSame(one: Diagnostic, other: Diagnostic): boolean {
  return one.range.start.isEqual(other.range.start) && one.message === other.message;
}
