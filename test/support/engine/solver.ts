/** Random conditions and claims in SQL, each with its formula for a solver. The solver shares no code with the search. */
import { init, killThreads, Z3_lbool } from 'z3-solver';
import { type Random, randomFrom } from '../../differential/random.ts';

/** A condition of a config, the same condition as a claim in SQLite, and the formula that is true exactly if both are true. */
export interface Solvable {
  readonly condition: string;
  readonly claim: string;
  readonly formula: string;
}

/** The numbers of the members. Four members are enough, because a condition or a claim mentions fewer. */
const members = [0, 1, 2, 3];

const texts = [
  'docs_owner',
  'docs_org',
  'docs_kind',
  'auth_sub',
  'auth_org',
  ...members.flatMap((n) => [`m${n}_doc`, `m${n}_who`, `m${n}_team`]),
];

const all = (...formulas: readonly string[]): string => `(and ${formulas.join(' ')})`;
const some = (formulas: readonly string[]): string => `(or ${formulas.join(' ')})`;
const areEqual = (one: string, other: string): string =>
  all(`(not ${one}_null)`, `(not ${other}_null)`, `(= ${one} ${other})`);
const isPresentAnd = (name: string, formula: string): string => all(`(not ${name}_null)`, formula);

const requests = [
  ['auth.user_id()', 'auth_sub'],
  ["auth.parameter('org')", 'auth_org'],
] as const;

/** The ways in which a member connects a value of the request with a value of a row: `m.doc = docs.id AND m.who = …`. */
const memberWays = ['doc', 'who', 'team'].flatMap((inner) =>
  ['id', 'owner', 'org'].flatMap((outer) =>
    ['who', 'team'].flatMap((input) => requests.map(([, name]) => ({ inner, outer, input, name }))),
  ),
);
type MemberWay = (typeof memberWays)[number];

function nameOf({ inner, outer, input, name }: MemberWay): string {
  return ['member', inner, outer, input, name].join('_');
}

/** The variables of the formulas. A separate flag says whether a value is NULL. */
const declarations = [
  '(declare-const docs_id String) (declare-const docs_id_null Bool) (assert (not docs_id_null))',
  '(declare-const docs_n Int) (declare-const docs_n_null Bool)',
  // A day is a real number, because days are compared only by order, and between two texts there is always a third one.
  '(declare-const docs_day Real) (declare-const docs_day_null Bool)',
  ...texts.map((name) => `(declare-const ${name} String) (declare-const ${name}_null Bool)`),
  ...members.map((n) => `(declare-const m${n}_is_there Bool)`),
].join('\n');

/** Returns the definitions of the member ways that the formula mentions. */
function definitionsFor(formula: string): string {
  const mentioned = memberWays.filter((way) => formula.includes(nameOf(way)));
  const definitions = mentioned.map((way) => {
    const { inner, outer, input, name } = way;
    const found = members.map((n) =>
      all(`m${n}_is_there`, areEqual(`docs_${outer}`, `m${n}_${inner}`), areEqual(`m${n}_${input}`, name)),
    );
    return `(define-fun ${nameOf(way)} () Bool ${some(found)})`;
  });
  return definitions.join('\n');
}

export function solvable(random: Random, depth: number): Solvable {
  const both = (sql: string, formula: string): Solvable => ({ condition: sql, claim: sql, formula });
  const text = (): string => random.pick(['a', 'b', 'open', '']);
  const join = (op: 'AND' | 'OR'): Solvable => {
    const [left, right] = [solvable(random, depth - 1), solvable(random, depth - 1)];
    return {
      condition: `(${left.condition} ${op} ${right.condition})`,
      claim: `(${left.claim} ${op} ${right.claim})`,
      formula: `(${op.toLowerCase()} ${left.formula} ${right.formula})`,
    };
  };
  return random.choose<Solvable>([
    [
      4,
      () => {
        const [column, [sql, name]] = [random.pick(['owner', 'org']), random.pick(requests)];
        return both(`${column} = ${sql}`, areEqual(`docs_${column}`, name));
      },
    ],
    [
      2,
      () => {
        const [column, value] = [random.pick(['owner', 'org', 'kind']), text()];
        return both(
          `${column} = '${value}'`,
          isPresentAnd(`docs_${column}`, `(= docs_${column} "${value}")`),
        );
      },
    ],
    [
      1,
      () => {
        const value = text();
        return {
          condition: `NOT (kind = '${value}')`,
          claim: `NOT ifnull(kind = '${value}', 0)`,
          formula: `(not ${isPresentAnd('docs_kind', `(= docs_kind "${value}")`)})`,
        };
      },
    ],
    [
      1,
      () => {
        const [op, value] = [random.pick(['<', '<=', '>', '>=']), random.pick([2, 3, 5])];
        return both(`n ${op} ${value}`, isPresentAnd('docs_n', `(${op} docs_n ${value})`));
      },
    ],
    [1, () => both('n BETWEEN 2 AND 5', isPresentAnd('docs_n', '(<= 2 docs_n 5)'))],
    [
      1,
      () => {
        const month = random.pick([1, 3, 6]);
        const op = random.pick(['<', '>=']);
        return both(`day ${op} '2024-0${month}-01'`, isPresentAnd('docs_day', `(${op} docs_day ${month})`));
      },
    ],
    [
      1,
      () => {
        const column = random.pick(['owner', 'org', 'n']);
        return random.chance(0.5)
          ? both(`${column} IS NULL`, `docs_${column}_null`)
          : both(`${column} IS NOT NULL`, `(not docs_${column}_null)`);
      },
    ],
    [
      2,
      () => {
        const [column, output, input] = [
          random.pick(['id', 'owner']),
          random.pick(['doc', 'who']),
          random.pick(['who', 'team']),
        ];
        const [sql, name] = random.pick(requests);
        return both(
          `${column} IN (SELECT ${output} FROM members WHERE ${input} = ${sql})`,
          nameOf({ inner: output, outer: column, input, name }),
        );
      },
    ],
    [depth, () => join('AND')],
    [depth, () => join('OR')],
  ]);
}

/** Returns all pairs of conditions on the same number or day. Whether one implies the other depends on their constants. */
export function solvablePairs(): readonly (readonly [Solvable, Solvable])[] {
  const random = randomFrom(1);
  const drawn = Array.from({ length: 2_000 }, () => solvable(random, 0));
  const leaves = [...new Map(drawn.map((leaf) => [leaf.condition, leaf])).values()];
  return [/^n\b/, /^day\b/].flatMap((about) => {
    const ofColumn = leaves.filter(({ condition }) => about.test(condition));
    return ofColumn.flatMap((one) => ofColumn.map((other) => [one, other] as const));
  });
}

/** Returns a claim that belongs to no condition, and may deny that a member exists. */
export function solvableClaim(random: Random): Omit<Solvable, 'condition'> {
  const [inner, outer, input] = [
    random.pick(['doc', 'who', 'team']),
    random.pick(['id', 'owner', 'org']),
    random.pick(['who', 'team']),
  ];
  const [sql, name] = random.pick(requests);
  const exists = nameOf({ inner, outer, input, name });
  const query = `EXISTS (SELECT 1 FROM members m WHERE m.${inner} = docs.${outer} AND m.${input} = ${sql})`;
  return random.choose<Omit<Solvable, 'condition'>>([
    [2, () => solvable(random, 1)],
    [1, () => ({ claim: query, formula: exists })],
    [1, () => ({ claim: `NOT ${query}`, formula: `(not ${exists})` })],
  ]);
}

export interface Solver {
  /** Whether a database and a client exist for which the formula is true. */
  isPossible(formula: string): Promise<boolean>;
  close(): Promise<void>;
}

export async function openSolver(): Promise<Solver> {
  const { Z3, em } = await init();
  const context = Z3.mk_context(Z3.mk_config());
  const solver = Z3.mk_solver(context);
  Z3.solver_inc_ref(context, solver);
  return {
    isPossible: async (formula) => {
      Z3.solver_reset(context, solver);
      const definitions = definitionsFor(formula);
      Z3.solver_from_string(context, solver, `${declarations}\n${definitions}\n(assert ${formula})`);
      const verdict = await Z3.solver_check(context, solver);
      if (verdict === Z3_lbool.Z3_L_UNDEF) throw new Error('The solver does not know.');
      return verdict === Z3_lbool.Z3_L_TRUE;
    },
    close: () => killThreads(em),
  };
}
