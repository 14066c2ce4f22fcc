import { pino } from 'pino';

/** A log for tests, silent unless `TEST_LOG_LEVEL` is set. */
export const testLog = pino({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent' });
