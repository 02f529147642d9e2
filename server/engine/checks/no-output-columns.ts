import type { ConfigCheck } from './check.ts';

export const noOutputColumns: ConfigCheck = {
  code: 'no-output-columns',
  checkSelect: ({ select, role, report }) => {
    if (role === 'synced' && select.columns.length === 0)
      report('no-output-columns', select.span, { missing: 'columns' });
  },
};
