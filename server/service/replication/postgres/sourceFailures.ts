/** Classifies errors of PostgreSQL by what they mean for the next attempt to replicate. */
import { DatabaseError } from 'pg';
import type { PostgresServer } from '../../config/settings.ts';
import type { ServiceErrorCode } from '../../ground/errors.ts';
import { describeFailure, type ServerFailureKind } from '../../postgres/failure.ts';
import { wordsOf } from '../preflight.ts';
import { SourceFailure } from '../source.ts';
import { explainRefusal, type Purpose } from './preflight/explain.ts';

const codes: Readonly<Record<ServerFailureKind, ServiceErrorCode>> = {
  unreachable: 'SVC_S1121',
  refused: 'SVC_S1120',
  settings: 'SVC_S1120',
  closed: 'SVC_S1121',
  other: 'SVC_S1120',
};

export function toSourceFailure(
  error: unknown,
  server: PostgresServer,
  purpose: Purpose = 'statements',
): SourceFailure {
  if (error instanceof SourceFailure) return error;
  const ofSlot = error instanceof DatabaseError ? slotFailure(error) : undefined;
  if (ofSlot !== undefined) return ofSlot;
  const { kind, message } = describeFailure(error, server);
  // The explanation of the preflight is used, because it contains the remedy.
  const refusal = explainRefusal(error, { server, purpose });
  if (refusal !== undefined)
    return new SourceFailure(
      refusal.code === 'SVC_S1162' ? 'settings' : kind,
      refusal.code,
      wordsOf(refusal),
      { cause: error },
    );
  return new SourceFailure(kind, codes[kind], message, { cause: error });
}

/**
 * Reasons why the log cannot be read. The server's SQLSTATE and the function that reports the error are the same in all languages
 * and, as far as they are named here, in the versions 15 to 18. An intermediary such as a proxy may not name the function; in
 * that case, English words decide.
 */
const troubles = [
  {
    trouble: 'missing slot',
    state: '42704',
    routines: ['ReplicationSlotAcquire'],
    english: /^replication slot "[^"]*" does not exist/,
  },
  {
    trouble: 'busy slot',
    state: '55006',
    routines: ['ReplicationSlotAcquire'],
    english: /^replication slot "[^"]*" is active/,
  },
  {
    trouble: 'no free slot',
    state: '53400',
    routines: ['ReplicationSlotCreate'],
    english: /all replication slots are in use/,
  },
  {
    trouble: 'lost slot',
    state: '55000',
    routines: ['StartLogicalReplication', 'ReplicationSlotAcquire'],
    english:
      /can no longer (access|get changes from) replication slot|cannot read from logical replication slot/,
  },
  // A publication that was created after the slot does not exist at the position at which the slot begins to read.
  {
    trouble: 'lost slot',
    state: '42704',
    routines: ['get_publication_oid'],
    english: /^publication "[^"]*" does not exist/,
  },
  // The log itself is gone, or belongs to a different history.
  {
    trouble: 'lost slot',
    state: '58P01',
    routines: ['WalSndSegmentOpen'],
    english: /requested WAL segment .* has already been removed/,
  },
  { trouble: 'lost slot', state: 'XX000', routines: [], english: /incorrect prev-link/ },
] as const;

type Trouble = (typeof troubles)[number]['trouble'];

/** A report of the server: an error or a notice. */
type ServerReport = Pick<Partial<DatabaseError>, 'code' | 'routine' | 'message'>;

function troubleOf({ code = '', routine = '', message = '' }: ServerReport): Trouble | undefined {
  const found = troubles.find(({ state, routines, english }) => {
    const known: readonly string[] = routines;
    return (code === state && known.includes(routine)) || english.test(message);
  });
  return found?.trouble;
}

/**
 * Whether the report is about a skipped publication. Since version 18, a missing publication is not an error while the log is
 * read: its changes are skipped.
 */
export function isAboutSkippedPublication({ routine, message = '' }: ServerReport): boolean {
  return routine === 'LoadPublications' || message.startsWith('skipped loading publication');
}

function slotFailure(error: DatabaseError): SourceFailure | undefined {
  const { message, detail } = error;
  const said = detail === undefined ? message : `${message} (${detail})`;
  switch (troubleOf(error)) {
    case undefined:
      return undefined;
    case 'missing slot':
      return new SourceFailure('backlog-missing', 'SVC_S1146', `${said}. All data must be copied again.`);
    case 'lost slot':
      return new SourceFailure('backlog-lost', 'SVC_S1146', `${said}. All data must be copied again.`);
    case 'busy slot':
      return new SourceFailure(
        'backlog-busy',
        'SVC_S1003',
        `Another process is already replicating, or a killed process has not ended yet: ${said}.`,
      );
    case 'no free slot':
      return new SourceFailure(
        'settings',
        'SVC_S1120',
        `${said}. Drop replication slots that nobody uses (SELECT slot_name, active FROM pg_replication_slots), or raise max_replication_slots.`,
      );
  }
}
