/** Errors of Postgres, and what they mean for the next attempt to replicate. */
import { DatabaseError } from 'pg';
import type { PostgresServer } from '../../config/settings.ts';
import type { ServiceErrorCode } from '../../ground/errors.ts';
import { describeFailure, type ServerFailureKind } from '../../postgres/failure.ts';
import { SourceFailure } from '../source.ts';

const codes: Readonly<Record<ServerFailureKind, ServiceErrorCode>> = {
  unreachable: 'SVC_S1121',
  refused: 'SVC_S1120',
  settings: 'SVC_S1120',
  closed: 'SVC_S1121',
  other: 'SVC_S1120',
};

export function toSourceFailure(error: unknown, server: PostgresServer): SourceFailure {
  if (error instanceof SourceFailure) return error;
  const ofSlot = error instanceof DatabaseError ? slotFailure(error) : undefined;
  if (ofSlot !== undefined) return ofSlot;
  const { kind, message } = describeFailure(error, server);
  return new SourceFailure(kind, codes[kind], message, { cause: error });
}

/**
 * The log that the slot would need is gone, or belongs to another history: only a new copy helps. A publication that
 * was made after the slot does not exist where the slot begins to read.
 */
const lost =
  /can no longer (access|get changes from) replication slot|cannot read from logical replication slot|incorrect prev-link|publication "[^"]*" does not exist|requested WAL segment .* has already been removed/;

function slotFailure(error: DatabaseError): SourceFailure | undefined {
  const { code, message, detail } = error;
  const said = detail === undefined ? message : `${message} (${detail})`;
  if (/^replication slot "[^"]*" does not exist/.test(message)) {
    return new SourceFailure('slot-missing', 'SVC_S1146', `${said}. All data must be copied again.`);
  }
  if (code === '55006' && /replication slot/.test(message)) {
    return new SourceFailure(
      'slot-busy',
      'SVC_S1003',
      `Another process replicates already, or one that was killed is not gone yet: ${said}.`,
    );
  }
  if (lost.test(message)) {
    return new SourceFailure('slot-lost', 'SVC_S1146', `${said}. All data must be copied again.`);
  }
  if (/all replication slots are in use/.test(message)) {
    return new SourceFailure(
      'settings',
      'SVC_S1120',
      `${said}. Drop replication slots that nobody uses (SELECT slot_name, active FROM pg_replication_slots), or raise max_replication_slots.`,
    );
  }
  return undefined;
}
