/** Reads the past deployments from the service. */
import { dataOf } from '../../api/answers.ts';
import { fieldsOf, listOf, textIn, timeIn } from '../../api/reading.ts';
import type { Transport } from '../link/transport.ts';

export interface PastDeployment {
  readonly slot: string;
  readonly content: string;
  readonly createdAt: number;
}

/** Returns the past deployments, oldest first. */
export async function askDeployments(transport: Pick<Transport, 'call'>): Promise<readonly PastDeployment[]> {
  const data = dataOf(await transport.call('POST', '/api/admin/v1/deployments', {}));
  return listOf(data?.deployments).map((each) => {
    const fields = fieldsOf(each);
    return {
      slot: textIn(fields, 'slot_name') ?? '',
      content: textIn(fields, 'content') ?? '',
      createdAt: timeIn(fields, 'created_ts') ?? 0,
    };
  });
}
