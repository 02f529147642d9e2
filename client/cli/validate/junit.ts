/** The XML format of JUnit, which most CI systems can show. Each file is a test, which fails if the file has an error. */
import { harmless, type Paint } from '../colours.ts';
import { type CheckedFile, shownPlace } from './checkText.ts';

export function junitLines(files: readonly CheckedFile[], _: Paint): readonly string[] {
  const failures = files.filter(isFailed).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="headwater validate" tests="${files.length}" failures="${failures}">`,
    ...files.flatMap(caseOf),
    '  </testsuite>',
    '</testsuites>',
  ];
}

function isFailed({ diagnostics }: CheckedFile): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

function caseOf(file: CheckedFile): string[] {
  const { path, diagnostics } = file;
  const name = `name="${xml(path)}" classname="headwater"`;
  if (diagnostics.length === 0) return [`    <testcase ${name}/>`];
  const [first] = diagnostics.filter(({ severity }) => severity === 'error');
  const text = diagnostics.map(
    (each) => `${shownPlace(file, each)} ${each.severity} ${each.code} ${each.message}`,
  );
  const element = isFailed(file) ? 'failure' : 'system-out';
  const attribute = first === undefined ? '' : ` message="${xml(first.message)}"`;
  return [
    `    <testcase ${name}>`,
    `      <${element}${attribute}>${xml(text.join('\n'))}</${element}>`,
    '    </testcase>',
  ];
}

export function xml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  return harmless(text).replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}
