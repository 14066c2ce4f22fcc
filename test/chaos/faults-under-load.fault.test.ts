import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, inject, it } from 'vitest';
import type { WriteFault } from '../support/faults/fail-points.ts';
import { stepDown, whileWritesFail, writeFaults } from '../support/faults/mongodb.ts';
import { killProcess, whileStopped } from '../support/faults/supervised.ts';
import { type RespondentsAtWork, startRespondents } from './respondents-at-work.ts';

interface Fault {
  readonly title: string;
  /** Only in `npm run test:all`; `npm test` has a similar fault. */
  readonly isLong?: boolean;
  readonly strike: () => Promise<void>;
}

const isAll = inject('testScope') === 'all';
const STEP_DOWN_SECONDS = isAll ? 6 : 3;

describe('while forty respondents answer', () => {
  let respondents: RespondentsAtWork;
  beforeAll(async () => {
    respondents = await startRespondents();
    await respondents.untilProgress();
  });
  afterAll(() => respondents.close());

  /** Resolves when enough requests were rejected to involve several groups of respondents. */
  async function untilRejected(): Promise<void> {
    const before = respondents.rejected.length;
    await poll(() => respondents.rejected.length >= before + 60);
  }

  async function expectNoFailures({ strike }: Pick<Fault, 'strike'>): Promise<void> {
    await strike();
    await respondents.untilProgress();
    respondents.expectRetryAfter();
  }

  const failing = (fault: WriteFault) => () => whileWritesFail(fault, untilRejected);
  const ofMongodb: readonly Fault[] = [
    { title: 'was killed', strike: () => killProcess('mongodb') },
    // MongoDB ends and can only restart with free disk space.
    { title: 'met a full disk', isLong: true, strike: () => whileStopped(['mongodb'], untilRejected) },
    { title: 'had no disk space for writes', strike: failing(writeFaults.diskFull) },
    { title: 'rejected every second response', isLong: true, strike: failing(writeFaults.someRejected) },
    { title: 'could not confirm every second write', isLong: true, strike: failing(writeFaults.unconfirmed) },
    { title: 'cut every second connection that wrote', strike: failing(writeFaults.disconnected) },
    { title: 'stepped down', strike: () => stepDown(STEP_DOWN_SECONDS) },
  ];

  // In `npm test`, `replicas.fault.test.ts` kills it.
  it.runIf(isAll)(
    'everything continues after the response service was killed, and rejected requests got Retry-After',
    () => expectNoFailures({ strike: () => killProcess('response') }),
  );

  describe.skipIf(inject('stack').mongodb.pid === undefined)('everything continues after MongoDB', () => {
    const faults = ofMongodb.filter(({ isLong }) => isAll || !isLong);
    it.each(faults)('$title, and rejected requests got Retry-After', expectNoFailures);
  });

  it('acknowledged responses are stored once each, and no limit is exceeded', async () => {
    await respondents.stop();
    await respondents.expectStored();
  });

  it('each stored response has one event', () => respondents.expectPublished());
});
