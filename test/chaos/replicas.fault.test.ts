import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { countRelays } from '../support/mongodb.ts';
import { type RespondentsAtWork, startRespondents } from '../support/respondents-at-work.ts';
import {
  countTaken,
  findRelaying,
  type ResponseReplicas,
  startResponseReplicas,
} from '../support/response-replicas.ts';
import { whileAway, whileStalled } from '../support/supervised.ts';

const PATIENCE = { timeoutMs: 45_000, everyMs: 200 };

describe('three replicas of the response service behind a gateway, while forty respondents answer', () => {
  let replicas: ResponseReplicas;
  let respondents: RespondentsAtWork;
  beforeAll(async () => {
    replicas = await startResponseReplicas();
    respondents = await startRespondents(replicas.gateway);
    await respondents.untilGoesOn();
  });
  afterAll(async () => {
    await respondents.close();
    await replicas.close();
  });

  async function untilRelayedByAnother(): Promise<void> {
    const before = await countRelays();
    await poll(async () => (await countRelays()) > before, PATIENCE);
  }

  it('take answers all', async () => {
    const before = await Promise.all(replicas.all.map(countTaken));
    await poll(async () => {
      const now = await Promise.all(replicas.all.map(countTaken));
      return now.every((count, index) => count > (before[index] ?? 0));
    }, PATIENCE);
  });

  it('go on when the one that relays is killed: another relays, and they take what comes', async () => {
    await whileAway([await findRelaying(replicas.all)], async () => {
      await Promise.all([untilRelayedByAnother(), respondents.untilGoesOn()]);
    });
    await respondents.untilGoesOn();
  });

  it('go on when the one that relays stalls beyond its lease, and comes to again', async () => {
    await whileStalled([await findRelaying(replicas.all)], untilRelayedByAnother);
    await respondents.untilGoesOn();
  });

  it('refuse nobody without saying to come again', async () => {
    await respondents.stop();
    respondents.expectToldToComeAgain();
  });

  it('store what was acknowledged, each once, and no limit is exceeded', () => respondents.expectStored());

  it('tell what is stored, each once', () => respondents.expectTold());
});
