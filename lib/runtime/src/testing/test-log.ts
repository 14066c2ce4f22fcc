import { pino } from 'pino';

/** A log for tests; silent unless `TEST_LOG_LEVEL` says otherwise. */
export const testLog = pino({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent' });
