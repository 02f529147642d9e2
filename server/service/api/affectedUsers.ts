/**
 * Compares a config that is not deployed with the active one: which users of the app gain and lose which rows of the source. Both
 * configs run on the current rows, read with the rights and limits of `execute-sql`. Anything that cannot be known is reported as
 * unknown, with the reason.
 */
import {
  type AffectedUser,
  affectedUsers,
  columnsWithClaim,
  isSameClaim,
  judgedStreams,
  requestReads,
  type TestedRow,
  traceConfig,
  type UserClaim,
  type UserRows,
  userClaimOf,
  userIdClaim,
} from '../../engine/index.ts';
import { tablesOf } from '../../engine/plan/evaluate/evaluate.ts';
import { matchesTable } from '../../engine/plan/evaluate/patterns.ts';
import type { SourceTable } from '../../engine/plan/evaluate/scope.ts';
import type { StreamPlan } from '../../engine/plan/plan.ts';
import { isJsonObject, type Json, type JsonObject, readJson } from '../../engine/plan/values/json.ts';
import { situationOf } from '../deployments/lifecycle.ts';
import { ServiceError } from '../ground/errors.ts';
import type { Call } from '../http/route.ts';
import type { ConnectedClient } from '../sync/clients.ts';
import type { ApiParts } from './parts.ts';
import { diagnosticsOf } from './problems.ts';
import { readRecords } from './records.ts';
import { answerUsers, type ListedUser } from './users.ts';

/** The maximum numbers of rows of one table, of rows, of users, and of changes of one stream. */
const most = { rowsOfTable: 5_000, rows: 20_000, users: 300, changes: 20 };

type AffectedParts = Pick<ApiParts, 'store' | 'configs' | 'source' | 'debugApi' | 'clients'>;

/** The reason why nothing is known about any stream. */
type Ignorance = 'nothing_active' | 'no_queries' | 'no_users' | 'source';

/** A reason why the users of one stream are not known. */
type Gap =
  /** Not all rows of these tables were read. */
  | { readonly reason: 'rows'; readonly tables: readonly string[] }
  /** The values of users who are not connected are unknown. */
  | { readonly reason: 'values'; readonly names: readonly string[] }
  /** There are more users. */
  | { readonly reason: 'users' };

/** @param readSchema returns the answer of `POST /api/admin/v1/schema` */
export async function answerAffectedUsers(
  call: Pick<Call, 'parameters' | 'signal'>,
  parts: AffectedParts,
  readSchema: () => Promise<Readonly<Record<string, unknown>>>,
): Promise<Record<string, unknown>> {
  const next = parts.configs.read(String(call.parameters.sync_rules));
  if (!next.valid) throw new ServiceError('SVC_R0001', diagnosticsOf(next).errors.join(', '));
  const { serving } = situationOf(await parts.store.all());
  const before = serving && parts.configs.of(serving).analysis.config;
  const after = next.analysis.config;
  if (before === undefined || after === undefined) return ignorance('nothing_active');
  if (!parts.debugApi) return ignorance('no_queries');
  try {
    const streams = judgedStreams(before, after);
    const plans = [...new Set(streams.flatMap((stream) => stream.plans))];
    const claim = userClaimOf(plans);
    const read = await readRows(
      plans,
      { source: parts.source, recordOf: traceConfig(after).recordOf, claim },
      call.signal,
    );
    const users = await findUsers({ call, parts, readSchema, plans, claim, read });
    if (users.all.length === 0 && streams.length > 0) return ignorance('no_users');
    const asking = users.all.map(({ id, asking }): UserRows => ({ user: id, asking }));
    const changes = await restfully(affectedUsers(before, after, read.rows, asking), call.signal);
    return {
      users: users.all.length,
      ...(!isSameClaim(claim, userIdClaim) && { claim: claim.join('.') }),
      streams: streams.map(({ name, plans: judged }) => {
        const gaps = gapsOf(judged, read, users);
        const sure = changes.filter((change) => change.stream === name && isSure(change, gaps, users));
        return {
          name,
          changes: sure.slice(0, most.changes).map((change) => describe(change, users)),
          ...(sure.length > most.changes && { more: sure.length - most.changes }),
          unknown: gaps,
        };
      }),
    };
  } catch (error) {
    call.signal.throwIfAborted();
    return { ...ignorance('source'), problem: error instanceof Error ? error.message : String(error) };
  }
}

function ignorance(unknown: Ignorance): Record<string, unknown> {
  return { users: 0, streams: [], unknown };
}

/** Does the work, and lets other work run after each step. Ends early if the caller no longer waits. */
async function restfully<T>(work: Generator<void, T, void>, signal: AbortSignal): Promise<T> {
  let step = work.next();
  while (!step.done) {
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    step = work.next();
  }
  return step.value;
}

interface ReadRows {
  readonly rows: readonly TestedRow[];
  /** The tables of which not all rows were read. */
  readonly partly: readonly SourceTable[];
  /** The texts in the columns that the plans compare with the claim that distinguishes users. */
  readonly userIds: ReadonlySet<string>;
  /** Whether these columns have values other than texts. Tokens may contain them as numbers or as texts. */
  readonly hasOthers: boolean;
}

interface Reading extends Pick<AffectedParts, 'source'>, Pick<ReturnType<typeof traceConfig>, 'recordOf'> {
  readonly claim: UserClaim;
}

async function readRows(
  plans: readonly StreamPlan[],
  { source, recordOf, claim }: Reading,
  signal: AbortSignal,
): Promise<ReadRows> {
  const rows: TestedRow[] = [];
  const partly: SourceTable[] = [];
  const userIds = new Set<string>();
  let hasOthers = false;
  const owners = plans.flatMap((plan) => columnsWithClaim(plan, claim));
  for (const { schema, name } of await tablesIn(plans, source)) {
    const table = { tag: source.tag, schema, name };
    const limit = Math.min(most.rowsOfTable, most.rows - rows.length);
    const named = schema === source.defaultSchema ? name : `${schema}.${name}`;
    const ownerColumns = owners.filter((each) => matchesTable(each.table, table)).map(({ column }) => column);
    const read = await readTable(limit, (after) =>
      readRecords(source, { table, after, limit: pageSize }, signal),
    );
    if (read.hasMore) partly.push(table);
    for (const record of read.records) {
      const row = recordOf(record) ?? {};
      rows.push({ table: named, id: String(row.id ?? ''), values: row });
      for (const column of ownerColumns) {
        const value = row[column] ?? null;
        if (value !== null) userIds.add(String(value));
        hasOthers ||= value !== null && typeof value !== 'string';
      }
    }
  }
  return { rows, partly, userIds, hasOthers };
}

/** The number of rows that one query reads. A query of the user may return no more. */
const pageSize = 1_000;

/** Reads a table page by page, up to a limit. */
async function readTable(
  limit: number,
  readPage: (after: string | undefined) => ReturnType<typeof readRecords>,
): Promise<{ readonly records: readonly string[]; readonly hasMore: boolean }> {
  const records: string[] = [];
  let after: string | undefined;
  while (records.length <= limit) {
    const page = await readPage(after);
    records.push(...page.records);
    if (records.length <= limit && page.after === undefined) return { records, hasMore: page.truncated };
    after = page.after;
  }
  return { records: records.slice(0, limit), hasMore: true };
}

/** Returns the distinct tables of the source that plans read. */
async function tablesIn(
  plans: readonly StreamPlan[],
  source: ApiParts['source'],
): Promise<readonly { readonly schema: string; readonly name: string }[]> {
  const matched = await source.tables(tablesOf(plans));
  const found = matched.flatMap(({ table }) => (table === undefined ? [] : [table]));
  return [...new Map(found.map((table) => [table.sourceId, table])).values()];
}

interface KnownUser extends ListedUser {
  /** Whether all values of the user's requests are known, and not only the id. */
  readonly isConnected: boolean;
  readonly asking: UserRows['asking'];
}

interface KnownUsers {
  /** The claim that distinguishes these users. */
  readonly claim: UserClaim;
  readonly all: readonly KnownUser[];
  readonly hasMore: boolean;
  readonly byId: ReadonlyMap<string, KnownUser>;
}

interface UserSearch {
  readonly call: Pick<Call, 'signal'>;
  readonly parts: AffectedParts;
  readonly readSchema: () => Promise<Readonly<Record<string, unknown>>>;
  readonly plans: readonly StreamPlan[];
  readonly claim: UserClaim;
  readonly read: ReadRows;
}

/** Returns the connected users, the users of the users table, and the users whose ids are in rows. */
async function findUsers({ call, parts, readSchema, plans, claim, read }: UserSearch): Promise<KnownUsers> {
  const { users: listed = [], more = false } = await answerUsers(
    { parameters: {}, signal: call.signal },
    parts,
    readSchema,
    claim,
  );
  const named = new Map(listed.map((user) => [user.id, user]));
  const connected = new Map(
    parts.clients().flatMap((client) => {
      const id = isSameClaim(claim, userIdClaim) ? client.userId : textAt(claim, readJson(client.claims));
      return id === undefined ? [] : [[id, client] as const];
    }),
  );
  const ids = [...new Set([...connected.keys(), ...named.keys(), ...read.userIds])];
  // Streams without parameters reach every user who subscribes to them.
  const open = [...new Set(plans.filter(needsNoParameters).map(({ name }) => name))];
  const asked = open.map((stream) => ({ stream, parameters: {} }));
  const all = ids.slice(0, most.users).map((id): KnownUser => {
    const client = connected.get(id);
    return {
      ...named.get(id),
      id,
      isConnected: client !== undefined,
      asking:
        client === undefined
          ? { claims: claimsWith(claim, id), parameters: {}, subscriptions: asked }
          : askingOf(client, asked),
    };
  });
  return {
    claim,
    all,
    hasMore: more || ids.length > all.length,
    byId: new Map(all.map((user) => [user.id, user])),
  };
}

/** Returns undefined if the claim is not a text. */
function textAt(claim: UserClaim, claims: Json): string | undefined {
  const value = claim.reduce<Json>((inside, name) => objectOf(inside)[name] ?? null, claims);
  return typeof value === 'string' ? value : undefined;
}

function claimsWith(claim: UserClaim, text: string): JsonObject {
  return objectOf(claim.reduceRight<Json>((inside, name) => ({ [name]: inside }), text));
}

function needsNoParameters(plan: StreamPlan): boolean {
  return requestReads(plan).every(({ part }) => part !== 'subscription');
}

function askingOf(client: ConnectedClient, asked: UserRows['asking']['subscriptions']): UserRows['asking'] {
  return {
    claims: objectOf(readJson(client.claims)),
    parameters: objectOf(client.connection.json),
    subscriptions: [
      ...asked,
      ...client.subscriptions.map(({ stream, parameters }) => ({
        stream,
        parameters: objectOf(parameters?.json ?? null),
      })),
    ],
  };
}

function objectOf(value: Json): JsonObject {
  return isJsonObject(value) ? value : {};
}

function gapsOf(
  plans: readonly StreamPlan[],
  { partly, hasOthers }: ReadRows,
  { hasMore, claim }: KnownUsers,
): readonly Gap[] {
  const patterns = tablesOf(plans);
  const tables = partly.filter((table) => patterns.some((pattern) => matchesTable(pattern, table)));
  const isKnown = ({ part, path }: ReturnType<typeof requestReads>[number]): boolean =>
    part === 'auth' && isSameClaim(path, claim) && (!hasOthers || isSameClaim(claim, userIdClaim));
  const unknown = plans.flatMap(requestReads).filter((read) => !isKnown(read));
  const names = [...new Set(unknown.map(valueName))];
  return [
    ...(tables.length > 0 ? [{ reason: 'rows' as const, tables: tables.map(({ name }) => name) }] : []),
    ...(names.length > 0 ? [{ reason: 'values' as const, names }] : []),
    ...(hasMore ? [{ reason: 'users' as const }] : []),
  ];
}

/** Returns the name of a value, in the notation of a config. */
function valueName({ part, path: [name] }: ReturnType<typeof requestReads>[number]): string {
  return name === undefined ? `${part}.parameters()` : `${part}.parameter('${name}')`;
}

/** Whether a change is certain. With missing rows, nothing is; without the values of a request, only for connected users. */
function isSure({ user }: AffectedUser, gaps: readonly Gap[], { byId }: KnownUsers): boolean {
  if (gaps.some(({ reason }) => reason === 'rows')) return false;
  return gaps.every(({ reason }) => reason !== 'values') || (byId.get(user)?.isConnected ?? false);
}

function describe(
  { kind, table, user, rows, example, holder }: AffectedUser,
  { byId }: KnownUsers,
): Record<string, unknown> {
  const nameOf = (id: string) => {
    const { name, address } = byId.get(id) ?? {};
    return { id, ...(name !== undefined && { name }), ...(address !== undefined && { address }) };
  };
  return {
    kind,
    table,
    user: nameOf(user),
    rows,
    example,
    ...(holder !== undefined && { holder: nameOf(holder) }),
  };
}
