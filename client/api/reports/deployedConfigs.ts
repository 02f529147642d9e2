/** The configs that were deployed to a service, as our service lists them. */
import { dataOf } from '../answers.ts';
import type { NamedConfig } from '../deployedConfig.ts';
import { fieldsOf, listOf, numberIn, present, textIn, timeIn } from '../reading.ts';

export interface ReportedConfig extends NamedConfig {
  readonly configNumber: number;
  readonly content: string;
  /** The time of the deploy, in milliseconds since 1970. */
  readonly deployedAt: number;
  /** The user who deployed it, as the client named them. */
  readonly deployedBy?: string;
  readonly state: ConfigState;
  /** Whether clients have ever received its rows. */
  readonly hasServed: boolean;
}

export type ConfigState = 'active' | 'pending' | 'earlier';

export const deployedConfigsPath = '/api/admin/v1/deployments';

/** Returns each deployed config once, newest first. Undefined if the service lists no configs with numbers. */
export function readDeployedConfigs(value: unknown): readonly ReportedConfig[] | undefined {
  const data = dataOf(value);
  if (!Array.isArray(data?.deployments)) return undefined;
  const read = listOf(data.deployments).map(readConfig);
  const known = read.filter((config) => config !== undefined);
  if (known.length < read.length) return undefined;
  return known.toSorted((one, other) => other.configNumber - one.configNumber);
}

function readConfig(value: unknown): ReportedConfig | undefined {
  const fields = fieldsOf(value);
  const [number, at] = [numberIn(fields, 'config_number'), timeIn(fields, 'created_ts')];
  if (number === undefined || at === undefined) return undefined;
  return present({
    slot: textIn(fields, 'slot_name') ?? '',
    configNumber: number,
    content: typeof fields.content === 'string' ? fields.content : '',
    deployedAt: at,
    deployedBy: textIn(fields, 'deployed_by'),
    state: fields.state === 'active' || fields.state === 'pending' ? fields.state : ('earlier' as const),
    hasServed: fields.has_served === true,
  });
}
