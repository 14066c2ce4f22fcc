import type { Platform } from '../platform.ts';
import type { PlannedFault } from './schedule.ts';

/** Has a fault, waits as long as it is to last, and heals it, also when the wait is broken off. */
export type Strike = (platform: Platform, fault: PlannedFault, wait: () => Promise<void>) => Promise<void>;
