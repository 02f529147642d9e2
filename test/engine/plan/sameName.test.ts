import { expect, test } from 'vitest';
import { toConfigEvaluator } from '../../../server/engine/plan/evaluate/evaluate.ts';
import { plansOf } from '../../support/engine/plans.ts';
import { referenceRows } from '../../support/engine/referenceRows.ts';

const row = { id: '1', text: 'abc', nil: null, blob: new Uint8Array([1, 2]) };
const settings = ['edition: 2', 'edition: 3', 'edition: 3, unstable_sqlite_expression_engine: true'];
const values = ['text', 'nil', 'blob', 'upper(text)', '*'];

/** Pairs of columns with the same name: an alias, or a column of the row before or after a star. */
const columns = values.flatMap((first) =>
  values.flatMap((second) => {
    if (first === '*' && second === '*') return [];
    if (first === '*') return ['text', 'id', 'blob'].map((name) => `*, ${second} AS ${name}`);
    if (second === '*') return ['text', 'id', 'blob'].map((name) => `${first} AS ${name}, *`);
    return [`id, ${first} AS c, ${second} AS c`, `text AS id, ${first} AS id, ${second} AS id`];
  }),
);

test.each(settings)(
  'Clients get the same one of two columns with one name as from the reference: %s',
  (config) => {
    for (const list of columns) {
      const yaml = `config: { ${config} }\nstreams: { s: { query: 'SELECT ${list} FROM t' } }\n`;
      const { plans, options } = plansOf(yaml);
      const { rowsOf } = toConfigEvaluator(plans, { options });
      const { rows } = rowsOf({ tag: 'default', schema: 'public', name: 't' })(row);
      const ours = rows.map(({ id, data }) => ({ id, data: JSON.parse(data) as object }));
      const theirs = referenceRows(yaml)('t', row).rows.map(({ id, data }) => ({ id, data }));
      expect(ours, list).toEqual(theirs);
    }
  },
);
