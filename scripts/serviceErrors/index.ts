/** The errors of the service with the texts of their pages. An error that is missing here is a type error. */
import type { ServiceErrorCode } from '../../server/service/ground/errors.ts';
import { foreignErrors } from './foreign.ts';
import { requestErrors } from './requests.ts';
import { sourceErrors } from './source.ts';
import { startErrors } from './start.ts';
import type { ErrorText } from './text.ts';
import { tokenErrors } from './tokens.ts';

export const errorTexts: Readonly<Record<ServiceErrorCode, ErrorText>> = {
  ...requestErrors,
  ...tokenErrors,
  ...sourceErrors,
  ...startErrors,
  ...foreignErrors,
};

export const errorGroups = [
  { title: 'Answers to requests', errors: requestErrors },
  { title: 'Answers to tokens', errors: tokenErrors },
  { title: 'The source database', errors: sourceErrors },
  { title: 'At the start', errors: startErrors },
  { title: 'Only from other services', errors: foreignErrors },
] as const;
