import type { Platform } from '../platform.ts';
import type { PlannedFault } from './schedule.ts';

/** Causes a fault, waits, and heals it, even if the wait is aborted. */
export type Strike = (platform: Platform, fault: PlannedFault, wait: () => Promise<void>) => Promise<void>;
