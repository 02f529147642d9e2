import type { ConfigCheck } from './check.ts';

/** An alias without AS that is the name of another column of the table is probably a column after a forgotten comma. */
export const missingComma: ConfigCheck = {
  code: 'missing-comma',
  usesCatalog: true,
  checkSelect: ({ text, select, columnOf, report }) => {
    for (const { expr, alias } of select.columns) {
      if (expr.kind !== 'reference' || alias === undefined || alias.text === expr.column.text) continue;
      const between = text.sql.text.slice((expr.outer ?? expr.span).end, alias.span.start);
      if (/\bas\b/i.test(between) || columnOf(expr, alias.text) === undefined) continue;
      report('missing-comma', alias.span, { column: expr.column.text, alias: alias.text });
    }
  },
};
