/** The tree of the Test Explorer: files with their tests and claims. */
import { Range, type TestController, type TestItem, Uri } from 'vscode';
import type { ListedTest, ListedTestFile, TestName } from '../../../server/protocol.ts';
import { splitPath } from '../../../server/shared/uri.ts';

/** Returns a unique id. A file may contain the same test twice, which is an error, but each one has an item. */
function idOf({ kind, name }: TestName, earlier: readonly TestName[]): string {
  const same = earlier.filter((each) => each.kind === kind && each.name === name).length;
  return JSON.stringify([kind, name, same]);
}

export function nameOfItem({ id }: TestItem): TestName {
  const [kind, name] = JSON.parse(id) as [TestName['kind'], string];
  return { kind, name };
}

export function itemsIn({ children }: TestItem): readonly TestItem[] {
  return [...children].map(([, item]) => item);
}

/** Shows all tests, and removes other items. */
export function showFiles(controller: TestController, files: readonly ListedTestFile[]): void {
  for (const [id] of controller.items) if (!files.some(({ uri }) => uri === id)) controller.items.delete(id);
  addFiles(controller, files);
}

/** Adds or updates files. An item stays the same as long as its test exists, because it has the results. */
export function addFiles(controller: TestController, files: readonly ListedTestFile[]): void {
  for (const { uri, tests, problem } of files) {
    const known = controller.items.get(uri);
    const place = Uri.parse(uri);
    const item = known ?? controller.createTestItem(uri, splitPath(place.path).name, place);
    if (known === undefined) controller.items.add(item);
    item.error = problem;
    showTests(controller, item, tests);
  }
}

function showTests(controller: TestController, file: TestItem, tests: readonly ListedTest[]): void {
  const ids = tests.map((test, index) => idOf(test, tests.slice(0, index)));
  for (const [id] of file.children) if (!ids.includes(id)) file.children.delete(id);
  tests.forEach((test, index) => {
    const id = ids[index] ?? '';
    const item = file.children.get(id) ?? controller.createTestItem(id, test.name, file.uri);
    item.range = rangeOf(test.range);
    if (test.kind === 'claim') item.description = 'always';
    item.sortText = String(index).padStart(6, '0');
    if (file.children.get(id) === undefined) file.children.add(item);
  });
}

export function rangeOf({ start, end }: ListedTest['range']): Range {
  return new Range(start.line, start.character, end.line, end.character);
}
