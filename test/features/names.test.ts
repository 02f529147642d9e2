import { describe, expect, test } from 'vitest';
import { analyze } from '../../server/engine/index.ts';
import type { ConfigSurroundings, Definition } from '../../server/engine/model/definition.ts';
import { compileStream, type NameResolution } from '../../server/engine/plan/compile/compile.ts';
import { shift } from '../../server/engine/text/span.ts';
import { definition } from '../../server/features/definition.ts';
import { highlights } from '../../server/features/highlights.ts';
import { mentionsIn } from '../../server/features/reading/mentions.ts';
import { bracketed, openDrawn, undented } from '../support/engine/drawn.ts';
import { readExamples } from '../support/engine/examples.ts';

/** Checks all places of the name at the cursor of the drawing. `expected` has brackets around them. */
function expectPlaces(drawing: string, expected: string): void {
  const { analysis, offset, text } = openDrawn(drawing);
  const spans = highlights(analysis, offset).map(({ span }) => span);
  expect(bracketed(text, spans)).toBe(undented(expected));
}

describe('All places of', () => {
  test('a CTE are its key, FROM, IN, and its name before a dot', () => {
    expectPlaces(
      `
      config: { edition: 3 }
      streams:
        mine:
          with:
            lists_of_me: SELECT id FROM lists WHERE owner = auth.user_id()
          queries:
            - SELECT * FROM todos WHERE list_id IN lists_<|>of_me
            - SELECT todos.* FROM todos JOIN lists_of_me ON lists_of_me.id = todos.list_id
      `,
      `
      config: { edition: 3 }
      streams:
        mine:
          with:
            ⟦lists_of_me⟧: SELECT id FROM lists WHERE owner = auth.user_id()
          queries:
            - SELECT * FROM todos WHERE list_id IN ⟦lists_of_me⟧
            - SELECT todos.* FROM todos JOIN ⟦lists_of_me⟧ ON ⟦lists_of_me⟧.id = todos.list_id
      `,
    );
  });

  test('a CTE exclude a CTE of another stream with the same name', () => {
    expectPlaces(
      `
      config: { edition: 3 }
      with:
        mine: SELECT id FROM lists
      streams:
        a:
          with:
            mine: SELECT id FROM boards
          query: SELECT * FROM notes WHERE board_id IN mine
        b:
          query: SELECT * FROM todos WHERE list_id IN <|>mine
      `,
      `
      config: { edition: 3 }
      with:
        ⟦mine⟧: SELECT id FROM lists
      streams:
        a:
          with:
            mine: SELECT id FROM boards
          query: SELECT * FROM notes WHERE board_id IN mine
        b:
          query: SELECT * FROM todos WHERE list_id IN ⟦mine⟧
      `,
    );
  });

  test('an alias are only in its query', () => {
    expectPlaces(
      `
      config: { edition: 3 }
      streams:
        mine:
          queries:
            - SELECT t.id, <|>t.schema() AS s FROM todos AS t WHERE t.owner = auth.user_id()
            - SELECT t.* FROM things AS t
      `,
      `
      config: { edition: 3 }
      streams:
        mine:
          queries:
            - SELECT ⟦t⟧.id, ⟦t⟧.schema() AS s FROM todos AS ⟦t⟧ WHERE ⟦t⟧.owner = auth.user_id()
            - SELECT t.* FROM things AS t
      `,
    );
  });

  test('an alias include subqueries that read it, but not one that hides it', () => {
    expectPlaces(
      `
      config: { edition: 3 }
      streams:
        mine:
          query: |
            SELECT * FROM todos AS t
            WHERE <|>t.a IN (SELECT b FROM x WHERE x.c = t.c)
              AND t.d IN (SELECT t.e FROM y AS t WHERE t.f = 1)
      `,
      `
      config: { edition: 3 }
      streams:
        mine:
          query: |
            SELECT * FROM todos AS ⟦t⟧
            WHERE ⟦t⟧.a IN (SELECT b FROM x WHERE x.c = ⟦t⟧.c)
              AND ⟦t⟧.d IN (SELECT t.e FROM y AS t WHERE t.f = 1)
      `,
    );
  });

  test('a column of a CTE are where it gets its name, and where it is read', () => {
    expectPlaces(
      `
      config: { edition: 3 }
      with:
        mine: SELECT list_id AS l, id FROM members
      streams:
        a:
          query: SELECT todos.* FROM todos JOIN mine AS m ON todos.list_id = m.<|>l
      `,
      `
      config: { edition: 3 }
      with:
        mine: SELECT list_id AS ⟦l⟧, id FROM members
      streams:
        a:
          query: SELECT todos.* FROM todos JOIN mine AS m ON todos.list_id = m.⟦l⟧
      `,
    );
  });

  test('a subscription parameter are only in its stream, however the parameter is read', () => {
    expectPlaces(
      `
      config: { edition: 3 }
      streams:
        a:
          queries:
            - SELECT * FROM x WHERE id = subscription.parameter('<|>list')
            - SELECT * FROM y WHERE id = subscription.parameters() ->> 'list'
        b:
          query: SELECT * FROM z WHERE id = subscription.parameter('list')
      `,
      `
      config: { edition: 3 }
      streams:
        a:
          queries:
            - SELECT * FROM x WHERE id = subscription.parameter(⟦'list'⟧)
            - SELECT * FROM y WHERE id = subscription.parameters() ->> ⟦'list'⟧
        b:
          query: SELECT * FROM z WHERE id = subscription.parameter('list')
      `,
    );
  });

  test('a bucket parameter are only in its definition', () => {
    expectPlaces(
      `
      bucket_definitions:
        a:
          parameters: SELECT request.user_id() AS me
          data:
            - SELECT * FROM x WHERE owner = bucket.<|>me
        b:
          parameters: SELECT request.user_id() AS me
          data:
            - SELECT * FROM y WHERE owner = bucket.me
      `,
      `
      bucket_definitions:
        a:
          parameters: SELECT request.user_id() AS ⟦me⟧
          data:
            - SELECT * FROM x WHERE owner = bucket.⟦me⟧
        b:
          parameters: SELECT request.user_id() AS me
          data:
            - SELECT * FROM y WHERE owner = bucket.me
      `,
    );
  });

  test('a table are in all queries, whatever alias they use', () => {
    expectPlaces(
      `
      config: { edition: 3 }
      streams:
        a:
          query: SELECT lists.id FROM <|>lists
        b:
          query: SELECT l.id FROM public.lists AS l
      `,
      `
      config: { edition: 3 }
      streams:
        a:
          query: SELECT ⟦lists⟧.id FROM ⟦lists⟧
        b:
          query: SELECT l.id FROM public.⟦lists⟧ AS l
      `,
    );
  });

  test('a name are also found in an incomplete query', () => {
    expectPlaces(
      `
      config: { edition: 3 }
      streams:
        a:
          query: SELECT t.id FROM todos AS t WHERE <|>t.
      `,
      `
      config: { edition: 3 }
      streams:
        a:
          query: SELECT ⟦t⟧.id FROM todos AS ⟦t⟧ WHERE ⟦t⟧.
      `,
    );
  });
});

test('A definition has the place of its name, and of all of its text', () => {
  const { analysis, offset, text } = openDrawn(`
    config: { edition: 3 }
    streams:
      a:
        with:
          mine: |
            SELECT id FROM lists
        query: SELECT * FROM todos WHERE list_id IN mi<|>ne
    `);
  const [target] = definition(analysis, offset)?.targets ?? [];
  expect(text.slice(target?.name.start, target?.name.end)).toBe('mine');
  expect(text.slice(target?.whole.start, target?.whole.end)).toBe('mine: |\n        SELECT id FROM lists');
});

function compiledAgain(definition: Definition, surroundings: ConfigSurroundings | undefined) {
  if (definition.kind !== 'stream' || surroundings?.options.edition !== 3) return undefined;
  return compileStream(definition, surroundings, { atPart: () => undefined, inSql: () => () => undefined });
}

test('Names have the same meaning as in the compiler, in all examples', () => {
  const differences = readExamples().flatMap(({ name, text, catalog, defaultSchema }) => {
    const analysis = analyze(text, { kind: 'sync', catalog, defaultSchema });
    const mentions = mentionsIn(analysis);
    const { ctes = [], definitions = [], surroundings } = analysis.config ?? {};
    const resolved = [
      ...ctes.map(({ checked, part }) => ({ of: checked, base: part.base })),
      ...definitions.map(({ definition, part }) => ({
        of: compiledAgain(definition, surroundings),
        base: part.base,
      })),
    ];
    return resolved.flatMap(({ of, base }) =>
      (of?.resolutions ?? []).flatMap((resolution) => {
        const place = of?.texts[resolution.text]?.place;
        const expected = expectedOf(resolution);
        if (!place || !expected) return [];
        const at = shift(place(expected.name.span), base);
        const found = mentions
          .filter(({ span }) => span.start === at.start && span.end === at.end)
          .map(({ symbol: { kind, name } }) => `${kind} ${name}`);
        return found.includes(expected.what)
          ? []
          : [`${name} ${at.start}: ${expected.what}, not ${found.join()}`];
      }),
    );
  });
  expect(differences).toEqual([]);
});

/** Returns the meaning of the qualifier of a name, or of a column without a qualifier. */
function expectedOf({ node, relation }: NameResolution) {
  if (relation.kind === 'broken') return undefined;
  const qualifier = node.kind === 'call' ? node.schema : node.table;
  const alias = relation.syntax?.alias;
  if (qualifier && alias) return { name: qualifier, what: `alias ${alias.name.text}` };
  if (qualifier && relation.kind === 'table')
    return { name: qualifier, what: `table ${relation.syntax.name.text}` };
  if (node.kind !== 'reference') return undefined;
  if (relation.kind === 'function') return undefined;
  const kind = relation.kind === 'table' ? 'column' : 'output';
  return { name: node.column, what: `${kind} ${node.column.text}` };
}
