/** Compares the rows of a user with the expected ones. */
import { append } from '../ground/append.ts';
import { columnsOnDevice, type DeviceRow } from './device.ts';
import type { TestFailure, TestMoment } from './outcomes.ts';
import { whyAbsent, whyPresent } from './reasons.ts';
import { clientTablesNamed } from './tableMeaning.ts';
import type { TableExpectation, UserExpectation, WantedRows } from './testFile.ts';

export function failuresOfExpectation(
  expected: UserExpectation,
  situation: TestMoment,
): readonly TestFailure[] {
  const { device, subject } = situation;
  const failed = device.request.failures.map(
    ({ reason, code }): TestFailure => ({
      span: expected.span,
      message: `The stream ${reason.stream} fails for ${expected.user.value} with ${code}.`,
      expected: '',
      actual: '',
      reasons: [{ text: 'The stream is defined here.', span: subject.placeOfStream(reason.stream) }],
    }),
  );
  if (expected.tables === 'nothing')
    return [...failed, ...[...device.tables.keys()].flatMap((table) => noneOf(table, expected, situation))];
  const tables = expected.tables.flatMap((each) =>
    clientTablesNamed(each.table.value, subject).map((value) => ({
      ...each,
      table: { ...each.table, value },
    })),
  );
  const named = new Set(tables.map(({ table }) => table.value));
  const others = situation.test.strict ? [...device.tables.keys()].filter((table) => !named.has(table)) : [];
  return [
    ...failed,
    ...tables.flatMap((table) => failuresOfTable(table, expected, situation)),
    ...others.flatMap((table) => noneOf(table, expected, situation)),
  ];
}

function noneOf(table: string, expected: UserExpectation, situation: TestMoment): readonly TestFailure[] {
  const placed = { table: { value: table, span: expected.span }, span: expected.span };
  return failuresOfTable({ ...placed, rows: { kind: 'none' } }, expected, situation);
}

function failuresOfTable(
  { table: { value: table }, span, rows: wanted, columns }: TableExpectation,
  { user }: UserExpectation,
  situation: TestMoment,
): readonly TestFailure[] {
  const rows = situation.device.tables.get(table) ?? new Map<string, DeviceRow>();
  const failures: TestFailure[] = [];
  if (wanted !== undefined) {
    const { extra, missing, expected } = compareRows(wanted, rows, () => idsOf(table, situation));
    const actual = listOf([...rows.keys()]);
    for (const id of extra)
      failures.push({
        span,
        message: `${user.value} gets ${table} ${id}, which is not expected.`,
        expected,
        actual,
        reasons: whyPresent(table, id, situation),
      });
    for (const id of missing)
      failures.push({
        span,
        message: `${user.value} does not get ${table} ${id}.`,
        expected,
        actual,
        reasons: whyAbsent(table, id, user.value, situation),
      });
    for (const message of vacuousIn(wanted, table, situation))
      failures.push({ span, message, expected, actual, reasons: [] });
  }
  if (columns !== undefined)
    append(failures, wrongColumns(table, columns.value, columns.span, user.value, rows));
  return failures;
}

interface ComparedRows {
  readonly extra: readonly string[];
  readonly missing: readonly string[];
  readonly expected: string;
}

function compareRows(
  wanted: WantedRows,
  rows: ReadonlyMap<string, DeviceRow>,
  all: () => readonly string[],
): ComparedRows {
  if (wanted.kind === 'some') {
    const [includes, excludes] = [wanted.includes, wanted.excludes].map((ids) =>
      ids.map(({ value }) => value),
    );
    const words = [
      ...(wanted.includes.length > 0 ? [`includes ${listOf(includes ?? [])}`] : []),
      ...(wanted.excludes.length > 0 ? [`excludes ${listOf(excludes ?? [])}`] : []),
    ];
    return {
      extra: (excludes ?? []).filter((id) => rows.has(id)),
      missing: (includes ?? []).filter((id) => !rows.has(id)),
      expected: words.join(', '),
    };
  }
  const ids =
    wanted.kind === 'exactly' ? wanted.ids.map(({ value }) => value) : wanted.kind === 'all' ? all() : [];
  const known = new Set(ids);
  return {
    extra: [...rows.keys()].filter((id) => !known.has(id)),
    missing: ids.filter((id) => !rows.has(id)),
    expected: listOf(ids),
  };
}

/** Returns failures for an expectation that would pass with any config. */
function vacuousIn(wanted: WantedRows, table: string, situation: TestMoment): readonly string[] {
  switch (wanted.kind) {
    case 'all':
      return idsOf(table, situation).length > 0
        ? []
        : [`There is no row of ${table} here, so \`all\` tests nothing. Add rows, or write \`none\`.`];
    case 'some':
      return wanted.excludes
        .filter(({ value }) => !isInTest(table, value, situation))
        .map(({ value }) => `This test has no row ${value} in ${table}, so excluding it tests nothing.`);
    default:
      return [];
  }
}

/** Whether a row exists at this or another step of the test. */
function isInTest(table: string, id: string, situation: TestMoment): boolean {
  const { test, database, device, subject } = situation;
  if (device.tables.get(table)?.has(id)) return true;
  if (database.rows.some((row) => row.id === id && subject.feeds(row.table, table))) return true;
  const isChanged = test.steps.some(
    (step) =>
      step.kind !== 'expect' &&
      step.rows.some((row) =>
        'values' in row
          ? row.id === id || subject.idsOf(row.table.value, row.values, table).includes(id)
          : row.id.value === id,
      ),
  );
  return isChanged || idsOf(table, situation).includes(id);
}

/** Returns all ids in the source tables whose rows are in this table on clients. */
function idsOf(table: string, { database, subject }: TestMoment): readonly string[] {
  const ids = database.rows.flatMap((row) => {
    const asClients = subject.idsOf(row.table, row.values, table);
    return asClients.length === 0 && row.table === table ? [row.id] : asClients;
  });
  return [...new Set(ids)];
}

function wrongColumns(
  table: string,
  columns: readonly string[],
  span: TestFailure['span'],
  user: string,
  rows: ReadonlyMap<string, DeviceRow>,
): readonly TestFailure[] {
  const [first] = rows.values();
  const expected = listOf([...columns].sort());
  if (first === undefined)
    return [
      {
        span,
        message: `${user} has no row of ${table}, so its columns cannot be checked.`,
        expected,
        actual: 'no row',
        reasons: [],
      },
    ];
  return [...rows.values()].flatMap((row) => {
    const found = columnsOnDevice(row);
    const extra = found.filter((name) => !columns.includes(name));
    const missing = columns.filter((name) => !found.includes(name));
    if (extra.length + missing.length === 0) return [];
    const parts = [
      ...(extra.length > 0 ? [`with ${extra.join(', ')}, which is not expected`] : []),
      ...(missing.length > 0 ? [`without ${missing.join(', ')}`] : []),
    ];
    return [
      {
        span,
        message: `${user} gets ${table} ${row.id} ${parts.join(' and ')}.`,
        expected,
        actual: listOf([...found].sort()),
        reasons: [],
      },
    ];
  });
}

function listOf(ids: readonly string[]): string {
  return ids.length === 0 ? 'none' : `[${[...ids].sort().join(', ')}]`;
}
