/** The table of screens, in the order of the navigation. */
import type { ComponentType } from 'preact';
import { DataScreen } from './data/data.tsx';
import { DevicesScreen } from './devices/devices.tsx';
import type { ScreenProps } from './frame/address.ts';
import { MapScreen } from './map/map.tsx';
import type { IconName } from './parts/icon.tsx';
import { ServiceScreen } from './service/service.tsx';
import { SlowLargeScreen } from './slowLarge/slowLarge.tsx';

interface Screen {
  /** The id in addresses such as `#/map`. */
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  readonly component: ComponentType<ScreenProps>;
}

export const screens: readonly Screen[] = [
  { id: 'map', title: 'Map', icon: 'map', component: MapScreen },
  { id: 'devices', title: 'Devices', icon: 'devices', component: DevicesScreen },
  { id: 'data', title: 'Data', icon: 'data', component: DataScreen },
  { id: 'service', title: 'Service', icon: 'service', component: ServiceScreen },
  { id: 'slow-and-large', title: 'Slow and large', icon: 'large', component: SlowLargeScreen },
];
