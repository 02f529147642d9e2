/** Chooses the port of the local service: the same one as last time if possible, so that apps find it again. */
import { t } from '../l10n.ts';
import { firstFreePort, isFreePort, portsToTry } from '../project/freePort.ts';

/** The default port of the reference service. */
const usual = 8080;

/**
 * @param wanted the port from the settings; 0 leaves the choice to us
 * @param last the previous port
 */
export async function choosePort(wanted: number, last: number | undefined): Promise<number> {
  if (wanted !== 0) {
    if (await isFreePort(wanted)) return wanted;
    throw new Error(
      t(
        'Port {0} is in use by another program. Stop that program, or change the setting `headwater.local.port`.',
        wanted,
      ),
    );
  }
  return firstFreePort(portsToTry(last === undefined ? [] : [last], usual));
}

/** The usual port of the embedded database, which the pages and `headwater init` name. */
const usualOfDatabase = 5499;

/** Chooses the previous port if possible, so that programs find the database again. 0 if no port is free. */
export function chooseDatabasePort(last: number | undefined): Promise<number> {
  return firstFreePort(portsToTry(last === undefined ? [] : [last], usualOfDatabase));
}
