/** Which port the local service listens on: the same one as last time if possible, so that apps find it again. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { t } from '../l10n.ts';

/** The reference service's own. */
const usual = 8080;

/**
 * @param wanted from the settings; 0 leaves the choice to us
 * @param last what it was before
 */
export async function choosePort(wanted: number, last: number | undefined): Promise<number> {
  if (wanted !== 0) {
    if (await isFree(wanted)) return wanted;
    throw new Error(
      t(
        'Port {0} is in use by another program. Stop that one, or change the setting `headwater.local.port`.',
        wanted,
      ),
    );
  }
  const following = Array.from({ length: 10 }, (_, index) => usual + index);
  for (const port of [...(last === undefined ? [] : [last]), ...following])
    if (await isFree(port)) return port;
  return 0;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
