import { ServiceError } from '../../ground/errors.ts';
import type { Access } from '../dispatch.ts';
import { adminCheck } from './adminTokens.ts';
import { tokenIn } from './header.ts';
import type { VerifyUser } from './userTokens.ts';

export function createAccess(adminTokens: readonly string[], verifyUser: VerifyUser): Access {
  return {
    admin: adminCheck(adminTokens),
    user: async (authorization) => {
      const token = tokenIn(authorization);
      if (token === undefined)
        throw new ServiceError('SVC_S2106', 'Send `Authorization: Bearer TOKEN` with a JWT.');
      return verifyUser(token);
    },
  };
}
