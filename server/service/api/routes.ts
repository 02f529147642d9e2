/** The table of what admins may call. */
import type { Route } from '../http/route.ts';
import { adminRoutes } from './adminRoutes.ts';
import type { ApiParts } from './parts.ts';
import { syncConfigRoutes } from './syncConfigRoutes.ts';

export function apiRoutes(parts: ApiParts): readonly Route[] {
  return [...syncConfigRoutes(parts), ...adminRoutes(parts)];
}
