/**
 * Advisory locks. They have no effect here because there is one session, but the session keeps them, and other locks need their
 * room.
 */

/** The SQLSTATE of a statement that finds no room for its locks, or no memory. */
export const outOfMemory = '53200';

export const releaseLocks = 'SELECT pg_catalog.pg_advisory_unlock_all()';
