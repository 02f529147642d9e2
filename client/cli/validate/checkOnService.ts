/** Adds the findings of a service to our own. */
import { type KnownSource, positionsIn } from '../../../server/engine/index.ts';
import type { ReportedError } from '../../api/answers.ts';
import type { Api } from '../../api/api.ts';
import { sourceOf } from '../project/missing.ts';
import type { World } from '../world.ts';
import { type CheckedFile, checkText, type Diagnostic } from './checkText.ts';

export async function checkOnService(
  api: Api,
  files: readonly CheckedFile[],
  world: World,
): Promise<readonly CheckedFile[]> {
  const source = files.some(({ kind }) => kind === 'sync') ? await sourceOf(api, world) : undefined;
  const asked: CheckedFile[] = [];
  for (const file of files)
    asked.push(file.kind === 'sync' ? await ask(api, checkBeside(source, file, world), world.signal) : file);
  return asked;
}

/** Checks the columns of a file with the tables that the service has, because services do not check columns. */
function checkBeside(source: KnownSource | undefined, file: CheckedFile, world: World): CheckedFile {
  if (source === undefined) return file;
  const known = new Set(file.diagnostics.map(inLine));
  const { diagnostics } = checkText(file.path, file.text, source, world);
  const added = diagnostics.filter((diagnostic) => !known.has(inLine(diagnostic)));
  return added.length === 0 ? file : { ...file, diagnostics: [...file.diagnostics, ...added] };
}

async function ask(api: Api, file: CheckedFile, signal: AbortSignal): Promise<CheckedFile> {
  const positionAt = positionsIn(file.text);
  const told = (await api.validate(file.text, signal)).map((error) => diagnosticOf(error, positionAt));
  // Our own service runs the same engine, so it repeats our findings.
  const known = new Set(file.diagnostics.map(inLine));
  const added = told.filter((diagnostic) => !known.has(inLine(diagnostic)));
  return { ...file, diagnostics: [...file.diagnostics, ...added] };
}

function inLine({ message, range }: Diagnostic): string {
  return `${range?.start.line} ${message}`;
}

function diagnosticOf(
  { level, message, location }: ReportedError,
  positionAt: ReturnType<typeof positionsIn>,
): Diagnostic {
  return {
    severity: level === 'fatal' ? 'error' : 'warning',
    code: 'service',
    message,
    ...(location && { range: { start: positionAt(location.start), end: positionAt(location.end) } }),
  };
}
