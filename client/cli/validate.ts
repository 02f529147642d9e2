import { dirname, resolve } from 'node:path';
import {
  analyze,
  type FileKind,
  messageOf,
  type Position,
  positionsIn,
  type Severity,
  severityOf,
} from '../../server/engine/index.ts';
import { nearest } from '../../server/engine/nearest.ts';
import type { Command, ExitCode, World } from './command.ts';

const usage = `Usage: headwater validate [--json] FILE…

Checks sync configs and service configs, offline. What a file is, its content says.

  --json  Print one object with all diagnostics; positions count from 0, as in the language protocol

Exit code 0: no error (but maybe warnings); 1: at least one error; 2: a file could not be read.`;

export const validate: Command = {
  name: 'validate',
  summary: 'Check sync configs and service configs, offline',
  usage,
  run: async (args, world) => {
    const request = readArguments(args);
    if (typeof request === 'string') {
      world.complain(request);
      return 2;
    }
    return checkFiles(request, world);
  },
};

interface Request {
  readonly json: boolean;
  readonly paths: readonly string[];
}

interface Diagnostic {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  readonly range: { readonly start: Position; readonly end: Position };
}

interface CheckedFile {
  readonly path: string;
  readonly kind: FileKind;
  readonly diagnostics: readonly Diagnostic[];
}

/** Or what is wrong with them. */
function readArguments(args: readonly string[]): Request | string {
  const end = args.indexOf('--');
  const before = end === -1 ? args : args.slice(0, end);
  const unknown = before.find((arg) => arg.startsWith('-') && arg !== '--json');
  if (unknown !== undefined) return explainUnknown(unknown);
  const paths = [...before.filter((arg) => arg !== '--json'), ...(end === -1 ? [] : args.slice(end + 1))];
  if (paths.length === 0) return 'Which files? Write headwater validate FILE…';
  return { json: before.includes('--json'), paths };
}

function explainUnknown(option: string): string {
  const near = nearest(option, ['--json', '--help']);
  const advice = near === undefined ? 'See headwater validate --help.' : `Did you mean ${near}?`;
  return `There is no option ${option}. ${advice}`;
}

async function checkFiles({ json, paths }: Request, world: World): Promise<ExitCode> {
  const files: CheckedFile[] = [];
  for (const path of paths) {
    const content = await world.readFile(path).catch((error: NodeJS.ErrnoException) => {
      world.complain(explainUnreadable(path, error));
    });
    if (content !== undefined) files.push(checkFile(path, content, world));
  }
  if (json) world.print(JSON.stringify({ files }, undefined, 2));
  else for (const line of linesFor(files)) world.print(line);
  if (files.length < paths.length) return 2;
  return count(files, 'error') > 0 ? 1 : 0;
}

function checkFile(path: string, content: string, { exists }: World): CheckedFile {
  // Editors do not count a byte order mark as text.
  const text = content.replace(/^\ufeff/, '');
  const fileName = resolve(path);
  const { kind, findings } = analyze(text, {
    fileName,
    files: { exists: (named) => exists(resolve(dirname(fileName), named)) },
  });
  const positionAt = positionsIn(text);
  const diagnostics = findings.map((finding) => ({
    severity: severityOf(finding.code),
    code: finding.code,
    message: messageOf(finding),
    range: { start: positionAt(finding.span.start), end: positionAt(finding.span.end) },
  }));
  return { path, kind, diagnostics };
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  ENOTDIR: 'a part of its path is a file',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  ERR_STRING_TOO_LONG: 'it is too large',
  ERR_FS_FILE_TOO_LARGE: 'it is too large',
};

function explainUnreadable(path: string, { code = 'unknown reason' }: NodeJS.ErrnoException): string {
  return `Cannot read ${path}: ${reasons[code] ?? code}.`;
}

function* linesFor(files: readonly CheckedFile[]): Generator<string> {
  for (const { path, kind, diagnostics } of files) {
    if (kind === 'foreign')
      yield `${path}: neither a sync config nor a service config, so it was not checked`;
    for (const { severity, code, message, range } of diagnostics)
      yield `${path}:${range.start.line + 1}:${range.start.character + 1} ${severity} ${code} ${message}`;
  }
  if (files.length > 0) yield summaryOf(files);
}

/** For example: `2 errors, 1 warning, 0 hints in 3 files`. */
function summaryOf(files: readonly CheckedFile[]): string {
  const checked = files.filter(({ kind }) => kind !== 'foreign');
  const counts = (['error', 'warning', 'hint'] as const).map((severity) =>
    counted(count(files, severity), severity),
  );
  return `${counts.join(', ')} in ${counted(checked.length, 'file')}`;
}

function count(files: readonly CheckedFile[], severity: Severity): number {
  return files.flatMap(({ diagnostics }) => diagnostics).filter((found) => found.severity === severity)
    .length;
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
