/** Files that several tests open. See `../support/engine/fixture.ts` for the notation. */

export const misspelled = `
  === sync-config.yaml
  config:
    edition: 3
  streams:
    tasks:
      query: SELECT * FROM tasks WHERE owner_id = auth.user_id()
  stremas:
  #~@0-7 error unknown-key
    lists:
      query: SELECT * FROM lists WHERE owner_id = auth.user_id()
`;

export const repaired = `
  === sync-config.yaml
  config:
    edition: 3
  streams:
    tasks:
      query: SELECT * FROM tasks WHERE owner_id = auth.user_id()
    lists:
      query: SELECT * FROM lists WHERE owner_id = auth.user_id()
`;

/** Kubernetes' own, under one of our names. */
export const foreign = `
  === powersync.yaml
  apiVersion: v1
  kind: Service
  metadata:
    name: powersync
  stremas: []
`;
