/** The example project, in the form that tests of the workbench give to it: with a PostgreSQL of the test as its source. */
import { join } from 'node:path';
import { root } from '../../../scripts/root.ts';

export const example = join(root, 'examples/todo');

/** A service config that takes the address of the source from a variable. */
export const serviceConfig = `replication:
  connections:
    - type: postgresql
      uri: !env PS_DATA_SOURCE_URI
      sslmode: disable
`;
