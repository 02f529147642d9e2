/**
 * Configs from public reports of users whom PowerSync's service refused. Tables, streams and data are rebuilt from the reports.
 * For each case, `remedy` is a config that returns the same rows and stays below the limit.
 */
type CaseRow = Readonly<Record<string, string | null>>;

export interface LimitCase {
  /** The page that describes the case. */
  readonly source: string;
  readonly config: string;
  readonly remedy: string;
  /** The rows of each table. */
  readonly rows: ReadonlyMap<string, readonly CaseRow[]>;
  /** The user who was refused. */
  readonly user: string;
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** 32 small streams. A user is a member of 30 jobs, in some of them with two roles, and 24 streams look up these memberships. */
function smallStreams(): LimitCase {
  const queryOf = (i: number) =>
    i < 8
      ? `SELECT * FROM part_${i} WHERE user_id = auth.user_id()`
      : `SELECT part_${i}.* FROM part_${i} INNER JOIN job_members m ON m.job_id = part_${i}.job_id WHERE m.user_id = auth.user_id()`;
  const queries = times(32, queryOf);
  return {
    source: 'powersync-ja/powersync-service#611',
    user: 'member',
    config: `config:
  edition: 3
streams:
${queries.map((query, i) => `  part_${i}:\n    auto_subscribe: true\n    query: ${query}\n`).join('')}`,
    remedy: `config:
  edition: 3
streams:
  parts:
    auto_subscribe: true
    queries:
${queries.map((query) => `      - ${query}\n`).join('')}`,
    rows: new Map<string, readonly CaseRow[]>([
      ...times(32, (table): [string, readonly CaseRow[]] => [
        `part_${table}`,
        times(80, (i) => ({
          id: `${table}-${i}`,
          job_id: `job-${i % 40}`,
          user_id: i < 3 ? 'member' : null,
        })),
      ]),
      [
        'job_members',
        [
          ...times(45, (i) => ({ id: `m-${i}`, job_id: `job-${i % 30}`, user_id: 'member' })),
          { id: 'm-guest', job_id: 'job-0', user_id: 'guest' },
        ],
      ],
    ]),
  };
}

/** 1,235 log items of one user, with 295 different ingredients. */
function logItems(): LimitCase {
  const plan = 'SELECT id FROM nutrition_nutritionplan WHERE user_id = auth.user_id()';
  return {
    source: 'powersync-ja/powersync-service#682, wger-project/flutter#1237',
    user: 'eater',
    config: `config:
  edition: 3
streams:
  user_ingredients:
    auto_subscribe: true
    with:
      ingredient_ids: SELECT l.ingredient_id FROM nutrition_logitem l JOIN nutrition_nutritionplan p ON l.plan_id = p.id WHERE p.user_id = auth.user_id()
    query: SELECT * FROM nutrition_ingredient WHERE id IN ingredient_ids
  log_items:
    auto_subscribe: true
    query: SELECT * FROM nutrition_logitem WHERE plan_id IN (${plan})
`,
    remedy: `config:
  edition: 3
streams:
  user_ingredients:
    query: |
      SELECT * FROM nutrition_ingredient WHERE id = subscription.parameter('ingredient')
        AND subscription.parameter('ingredient') IN (SELECT ingredient_id FROM nutrition_logitem WHERE plan_id IN (${plan}))
  log_items:
    auto_subscribe: true
    query: SELECT * FROM nutrition_logitem WHERE plan_id IN (${plan})
`,
    rows: new Map<string, readonly CaseRow[]>([
      ['nutrition_nutritionplan', times(3, (i) => ({ id: `plan-${i}`, user_id: i < 2 ? 'eater' : 'guest' }))],
      [
        'nutrition_logitem',
        [
          ...times(1_235, (i) => ({
            id: `log-${i}`,
            plan_id: `plan-${i % 2}`,
            ingredient_id: `i-${i % 295}`,
          })),
          { id: 'log-guest', plan_id: 'plan-2', ingredient_id: 'i-400' },
        ],
      ],
      ['nutrition_ingredient', times(500, (i) => ({ id: `i-${i}`, name: `ingredient ${i}` }))],
    ]),
  };
}

/** A technician has two work orders. Another tenant has 1,500 work orders, which are read for each stream that joins them. */
function otherTenant(): LimitCase {
  const query = (table: string, selected: string) =>
    `SELECT * FROM ${table} WHERE work_order_id IN (SELECT ${selected} FROM assignments a JOIN work_orders w ON w.id = a.work_order_id WHERE a.user_id = auth.user_id() AND w.deleted_at IS NULL)`;
  const tables = ['labor', 'parts', 'comments'];
  const config = (selected: string) => `config:
  edition: 3
streams:
${tables.map((table) => `  ${table}:\n    auto_subscribe: true\n    query: ${query(table, selected)}\n`).join('')}`;
  const orders = times(1_502, (i) => ({
    id: `wo-${i}`,
    tenant_id: i < 2 ? 'small' : 'large',
    deleted_at: i % 10 === 9 ? '2026-01-01' : null,
  }));
  return {
    source: 'powersync-ja/powersync-service#778',
    user: 'technician',
    config: config('a.work_order_id'),
    remedy: config('w.id'),
    rows: new Map<string, readonly CaseRow[]>([
      ['work_orders', orders],
      [
        'assignments',
        [
          ...times(2, (i) => ({ id: `a-${i}`, work_order_id: `wo-${i}`, user_id: 'technician' })),
          ...times(300, (i) => ({ id: `b-${i}`, work_order_id: `wo-${i + 2}`, user_id: `other-${i % 5}` })),
        ],
      ],
      ...tables.map((table): [string, readonly CaseRow[]] => [
        table,
        times(100, (i) => ({ id: `${table}-${i}`, work_order_id: `wo-${i % 20}` })),
      ]),
    ]),
  };
}

export const limitCases: readonly LimitCase[] = [smallStreams(), logItems(), otherTenant()];
