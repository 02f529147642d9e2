/** Names of deployed configs: every surface names a config with `nameOfConfig`, and finds it again with `isSent`. */
import { t } from '../l10n.ts';

export interface NamedConfig {
  /** The slot of the deployment. No two deployments have the same slot at the same time. */
  readonly slot: string;
  /** The slot name of the last deploy, if this deployment has taken over the parts that were copied for that deploy. */
  readonly deployedAs?: string;
  /** The number of the config. Absent if it is unknown. */
  readonly configNumber?: number;
}

/** A config that was sent to a service. */
export interface SentConfig extends NamedConfig {
  /** Whether the active config is copied again, so that the same number is active until the copy is complete. */
  readonly isCopiedAgain?: true;
}

/** Returns the name of a config, such as `config 7`. If its number is unknown, this is the name of its slot. */
export function nameOfConfig(config: NamedConfig): string {
  const { configNumber } = config;
  return configNumber === undefined ? slotOfDeploy(config) : t('config {0}', configNumber);
}

/** Returns the name for the beginning of a sentence. */
export function nameAtStart(config: NamedConfig): string {
  const { configNumber } = config;
  return configNumber === undefined ? slotOfDeploy(config) : t('Config {0}', configNumber);
}

/** Returns the slot name of the last deploy. */
export function slotOfDeploy({ slot, deployedAs = slot }: NamedConfig): string {
  return deployedAs;
}

/** Returns a text that differs if another config is deployed, or if the config is copied again. */
export function keyOfConfig(config: NamedConfig | undefined): string | undefined {
  return config && `${slotOfDeploy(config)} ${config.configNumber}`;
}

/** Returns only the names of a deployment, with the slot name of its last deploy. */
export function namesOf(deployed: NamedConfig): SentConfig {
  const { configNumber } = deployed;
  return { slot: slotOfDeploy(deployed), ...(configNumber !== undefined && { configNumber }) };
}

/** Whether a service has this config that was sent to it. */
export function isSent(deployed: NamedConfig, sent: SentConfig): boolean {
  const [one, other] = [deployed.configNumber, sent.configNumber];
  if (!sent.isCopiedAgain && one !== undefined && other !== undefined) return one === other;
  return deployed.slot === sent.slot || deployed.deployedAs === sent.slot;
}

/**
 * Returns the number in a slot name of the reference service. Each of its deploys has a slot with its number. Other services, and
 * the slots of other prefixes, may number something else.
 */
function numberInSlot(slot: string): number | undefined {
  const [, digits] = /^powersync_(\d{1,9})_[0-9a-f]{4}$/.exec(slot) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Adds the number that the slot contains, if the service does not report its name: then it is the reference service. */
export function withNumber<T extends NamedConfig>(config: T, service: object | undefined): T {
  const configNumber = config.configNumber ?? (service === undefined ? numberInSlot(config.slot) : undefined);
  return { ...config, ...(configNumber !== undefined && { configNumber }) };
}

/** Returns a name that all slots of a storage share. A storage that is deleted and created again has another one. */
export function storageOfSlot(slot: string): string {
  return slot.replace(/\d+(?=_[0-9a-f]{4}$)/, '');
}
