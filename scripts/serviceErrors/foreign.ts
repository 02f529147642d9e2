/** Codes of PowerSync that this service never returns. Tools may receive them from other services. */
import type { ServiceErrorCode } from '../../server/service/ground/errors.ts';
import type { ErrorText } from './text.ts';

export const foreignErrors = {
  SVC_R2201: {
    told: 'never',
    when: 'A sync config selects from tables by a wildcard, and the kind of the source does not allow that. PostgreSQL does.',
    todo: 'Name the tables one by one.',
  },
  SVC_S0001: {
    told: 'never',
    when: 'An unexpected state inside the service. Headwater answers `SVC_S2001` with status 500 instead.',
    todo: 'Look at the log of the service, and report the error together with the log.',
  },
  SVC_S1004: {
    told: 'never',
    when: 'A JSON value in a row is nested deeper than the service can read. Headwater leaves the row out and reports it in diagnostics.',
    todo: 'Store the value with less nesting, or as text.',
  },
  SVC_S1005: {
    told: 'never',
    when: 'The storage was written by a newer release. Headwater explains this and does not start.',
    todo: 'Run the newer release again, or start the older one with an empty storage: it then copies everything again.',
  },
  SVC_S1144: {
    told: 'never',
    when: 'Source and storage are databases of one PostgreSQL server that is too old for that.',
    todo: 'Use two servers, or a newer one.',
  },
  SVC_S1402: {
    told: 'never',
    when: 'A transaction in the storage failed too many times.',
    todo: 'Check whether the storage is overloaded. The service tries again later.',
  },
  SVC_S2102: {
    told: 'never',
    when: 'The signature of a token is wrong. Services answer `SVC_S2101` instead.',
    todo: 'See [SVC_S2101](SVC_S2101.md).',
  },
  SVC_S4001: {
    told: 'never',
    when: 'Part of the diagnostics could not be determined. Headwater leaves that part out.',
    todo: 'Try again. If it happens again, look at the log.',
  },
} as const satisfies Partial<Record<ServiceErrorCode, ErrorText>>;
