import { closeAll, openDrawing, untilMarked } from '../support/editor/host.ts';

describe('Mistakes in SQL are shown where they stand', () => {
  afterEach(closeAll);

  for (const [style, query] of Object.entries({
    'a plain scalar': `
      === sync.yaml
      config: { edition: 3 }
      streams:
        mine:
          query: SELECT * FROM tasks WHERE done AND AND owner_id = auth.user_id()
      #~                                            ^^^ error sql-syntax
    `,
    'a plain scalar of several lines': `
      === sync.yaml
      config: { edition: 3 }
      streams:
        mine:
          query: SELECT * FROM tasks

            WHERE done
            AND AND owner_id = auth.user_id()
      #~        ^^^ error sql-syntax
    `,
    'single quotes': `
      === sync.yaml
      config: { edition: 3 }
      streams:
        mine:
          query: 'SELECT * FROM tasks WHERE title = ''it''''s'' AND AND owner_id = auth.user_id()'
      #~                                                            ^^^ error sql-syntax
    `,
    'double quotes': `
      === sync.yaml
      config: { edition: 3 }
      streams:
        mine:
          query: "SELECT * FROM \\"tasks\\" WHERE t = '\\u0041' AND AND owner_id = auth.user_id()"
      #~                                                         ^^^ error sql-syntax
    `,
    'a literal block': `
      === sync.yaml
      config: { edition: 3 }
      streams:
        mine:
          query: |2-
              SELECT * FROM tasks
              WHERE done AND AND owner_id = auth.user_id()
      #~                     ^^^ error sql-syntax
    `,
    'a folded block': `
      === sync.yaml
      config: { edition: 3 }
      streams:
        mine:
          query: >-
            SELECT * FROM tasks
            WHERE done

            AND AND owner_id = auth.user_id()
      #~        ^^^ error sql-syntax
    `,
    'a block with characters that take two units': `
      === sync.yaml
      config: { edition: 3 }
      streams:
        mine:
          query: |
            SELECT * FROM tasks WHERE title = '🌊' AND AND owner_id = auth.user_id()
      #~@49-52 error sql-syntax
    `,
  })) {
    it(`in ${style}`, async () => {
      await untilMarked(await openDrawing(query), query);
    });

    it(`in ${style}, with CRLF`, async () => {
      const crlf = query.replaceAll('\n', '\r\n');
      await untilMarked(await openDrawing(crlf), crlf);
    });
  }

  it('in every stream, and what a query means is checked, too', async () => {
    const drawing = `
      === sync.yaml
      config: { edition: 3 }
      streams:
        mine:
          query: SELECT * FROM tasks WHERE owner_id = auth.usr_id()
      #~                                              ^^^^^^^^^^^ error unknown-request-function "user_id"
        shared:
          query: |
            SELECT * FROM tasks
            WHERE lists.id = auth.user_id()
      #~          ^^^^^^^^ error table-not-in-from
        half:
          query: SELECT FROM
      #~                ^^^^ error sql-syntax
    `;
    await untilMarked(await openDrawing(drawing), drawing);
  });
});
