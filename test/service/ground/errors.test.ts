import { expect, test } from 'vitest';
import {
  entryOf,
  errorBody,
  ServiceError,
  serviceErrorCodes,
} from '../../../server/service/ground/errors.ts';

test('the catalogue of errors', () => {
  const lines = serviceErrorCodes.map((code) => {
    const { status, name, description, severity } = entryOf(code);
    return `${code} ${status} ${name}: ${description}${severity ? ` (${severity})` : ''}`;
  });
  expect(lines.join('\n')).toMatchSnapshot();
});

test('an error has its details, and the name that belongs to its status', () => {
  expect(errorBody(new ServiceError('SVC_S4106'))).toEqual({
    error: {
      name: 'BusyError',
      code: 'SVC_S4106',
      description: 'A deployment is being processed',
      status: 409,
    },
  });
  expect(errorBody(new ServiceError('SVC_S2001', 'Why', { status: 500 }))).toEqual({
    error: {
      name: 'InternalServerError',
      code: 'SVC_S2001',
      description: 'Something went wrong inside the service',
      status: 500,
      details: 'Why',
      severity: 'error',
    },
  });
});
