/**
 * A sync config that cannot be deployed
 *
 * With a sync config in the file, the API refuses to deploy another one. It is read again when the service restarts.
 *
 * Bad:
 *
 * ```yaml
 * sync_config:
 *   path: sync-config.yaml
 * api:
 *   tokens:
 *     - !env PS_ADMIN_TOKEN
 * ```
 *
 * Good:
 *
 * ```yaml
 * api:
 *   tokens:
 *     - !env PS_ADMIN_TOKEN
 * ```
 */
import type { Rule } from './rule.ts';

export const serviceDeployRefused: Rule = { code: 'service-deploy-refused' };
