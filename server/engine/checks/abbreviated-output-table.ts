import { isAbbreviated } from '../sql/names.ts';
import type { ConfigCheck } from './check.ts';

/** Checks data queries of bucket definitions. Queries of streams are checked when they are compiled. */
export const abbreviatedOutputTable: ConfigCheck = {
  code: 'abbreviated-output-table',
  checkSelect: ({ select, role, report }) => {
    const [table] = select.from.map(({ source }) => source);
    if (role !== 'synced before 3' || table?.kind !== 'table' || !isAbbreviated(table)) return;
    const alias = table.alias?.name.text ?? '';
    report('abbreviated-output-table', table.nameSpan, { alias, table: table.name.text });
  },
};
