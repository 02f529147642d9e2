import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../scripts/rigs/temporary.ts';
import { shareWorkbench } from '../../support/editor/sharedWorkbench.ts';
import { openFile, pick, runCommand, takeScreenshot } from '../../support/editor/workbench.ts';

const sync = `config:
  edition: 3
streams:
  lists:
    query: SELECT * FROM lists
`;

const service = `replication:
  connections:
    - type: postgresql
      uri: postgresql://nobody:secret@127.0.0.1:5999/nowhere
client_auth:
  jwks_uri: ftp://keys.example.com/all
`;

describe('A mistake in the service config of a project', () => {
  const workbench = shareWorkbench('service-config', {
    from: () => {
      const project = temporaryFolder('service-config');
      writeFileSync(join(project, 'sync.yaml'), sync);
      writeFileSync(join(project, 'service.yaml'), service);
      return project;
    },
    leaves: 'a service',
  });

  it('is named at its place in that file when the local service starts', async () => {
    const { page } = workbench();
    await openFile(page, 'sync.yaml');
    await runCommand(page, 'Headwater: Start Local Service');
    await pick(page, 'With the database in service.yaml');
    await page.locator('.notification-toast a', { hasText: 'Show Log' }).click();
    await page.locator('.part.panel .view-line', { hasText: 'service.yaml:6:13' }).first().waitFor();
    await takeScreenshot(page, 'service-config-mistake');
  });
});
