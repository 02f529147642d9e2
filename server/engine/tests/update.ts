/** Fills empty expectations with the current results, which is how users begin from an existing config. */
import type { Edit } from '../text/edit.ts';
import { keyText } from '../yaml/keys.ts';
import { deviceOf } from './device.ts';
import { askingOf, sharedDatabase, type TestWorld } from './run.ts';
import { applyStep, startState } from './state.ts';
import type { TestSubject } from './subject.ts';
import type { TestFile } from './testFile.ts';

/** Replaces only `{}`, and never overwrites an existing expectation. */
export function writeExpectations(
  file: TestFile,
  subject: TestSubject,
  { seeds }: Pick<TestWorld, 'seeds'>,
): readonly Edit[] {
  const shared = sharedDatabase(file, subject, seeds);
  return file.tests.flatMap((test) => {
    let state = startState(shared);
    return test.steps.flatMap((step) => {
      if (step.kind !== 'expect') {
        state = applyStep(state, step, subject).state;
        return [];
      }
      const { users, span } = step.expectation;
      if (users.length > 0) return [];
      const lines = file.users.map((user) => {
        const { tables } = deviceOf(subject, state.database, askingOf(user, test));
        return `${keyText(user.name.value)}: ${textOfTables(tables)}`;
      });
      return [{ span, text: `{ ${lines.join(', ')} }` }];
    });
  });
}

function textOfTables(tables: ReturnType<typeof deviceOf>['tables']): string {
  const texts = [...tables].map(
    ([table, rows]) => `${keyText(table)}: [${[...rows.keys()].sort().map(keyText).join(', ')}]`,
  );
  return texts.length === 0 ? 'nothing' : `{ ${texts.join(', ')} }`;
}
