import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, inject, it } from 'vitest';
import type { WriteFault } from '../support/fail-points.ts';
import { stepDown, whileWritesFail, writeFaults } from '../support/mongodb.ts';
import { killPart, whileStopped } from '../support/parts.ts';
import { type RespondentsAtWork, startRespondents } from '../support/respondents-at-work.ts';

interface Fault {
  readonly what: string;
  /** Left out of `npm test`, which has another one of its kind. */
  readonly isLong?: boolean;
  readonly strike: () => Promise<void>;
}

const isAll = inject('testScope') === 'all';
const STEP_DOWN_SECONDS = isAll ? 6 : 3;

describe('while forty respondents answer', () => {
  let respondents: RespondentsAtWork;
  beforeAll(async () => {
    respondents = await startRespondents();
    await respondents.untilGoesOn();
  });
  afterAll(() => respondents.close());

  /** Resolves when so many more were refused that it was hardly one of the manners alone. */
  async function untilRefused(): Promise<void> {
    const before = respondents.refused.length;
    await poll(() => respondents.refused.length >= before + 60, { timeoutMs: 45_000 });
  }

  async function expectToGoOn({ strike }: Pick<Fault, 'strike'>): Promise<void> {
    await strike();
    await respondents.untilGoesOn();
    respondents.expectToldToComeAgain();
  }

  const failing = (fault: WriteFault) => () => whileWritesFail(fault, untilRefused);
  const ofMongodb: readonly Fault[] = [
    { what: 'was killed', strike: () => killPart('mongodb') },
    // It ends then, and cannot start before there is room.
    { what: 'met a full disk', isLong: true, strike: () => whileStopped(['mongodb'], untilRefused) },
    { what: 'had no room for what was written', strike: failing(writeFaults.diskFull) },
    { what: 'refused every second response', isLong: true, strike: failing(writeFaults.someRefused) },
    { what: 'could not confirm every second write', isLong: true, strike: failing(writeFaults.unconfirmed) },
    { what: 'cut every second connection that wrote', strike: failing(writeFaults.disconnected) },
    { what: 'stepped down', strike: () => stepDown(STEP_DOWN_SECONDS) },
  ];

  it('all goes on after the response service was killed, and who was refused was told to come again', () =>
    expectToGoOn({ strike: () => killPart('response') }));

  describe.skipIf(inject('stack').mongodb.pid === undefined)('all goes on after MongoDB', () => {
    const faults = ofMongodb.filter(({ isLong }) => isAll || !isLong);
    it.each(faults)('$what, and who was refused was told to come again', expectToGoOn);
  });

  it('what was acknowledged is stored, each once, and no limit is exceeded', async () => {
    await respondents.stop();
    await respondents.expectStored();
  });

  it('what is stored is told, each once', () => respondents.expectTold());
});
