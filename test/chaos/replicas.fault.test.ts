import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { countRelays } from '../support/faults/mongodb.ts';
import {
  countTaken,
  findRelaying,
  type ResponseReplicas,
  startResponseReplicas,
} from '../support/faults/response-replicas.ts';
import { whileAway, whileStalled } from '../support/faults/supervised.ts';
import { type RespondentsAtWork, startRespondents } from './respondents-at-work.ts';

describe('three replicas of the response service behind a gateway, while forty respondents answer', () => {
  let replicas: ResponseReplicas;
  let respondents: RespondentsAtWork;
  beforeAll(async () => {
    replicas = await startResponseReplicas();
    respondents = await startRespondents(replicas.gateway);
    await respondents.untilProgress();
  });
  afterAll(async () => {
    await respondents.close();
    await replicas.close();
  });

  async function untilRelayedByAnother(): Promise<void> {
    const before = await countRelays();
    await poll(async () => (await countRelays()) > before);
  }

  it('all accept responses', async () => {
    const before = await Promise.all(replicas.all.map(countTaken));
    await poll(async () => {
      const now = await Promise.all(replicas.all.map(countTaken));
      return now.every((count, index) => count > (before[index] ?? 0));
    });
  });

  it('continue when the relaying replica is killed, and another one relays', async () => {
    await whileAway([await findRelaying(replicas.all)], async () => {
      await Promise.all([untilRelayedByAnother(), respondents.untilProgress()]);
    });
    await respondents.untilProgress();
  });

  it('continue when the relaying replica stalls beyond its lease and resumes', async () => {
    await whileStalled([await findRelaying(replicas.all)], untilRelayedByAnother);
    await respondents.untilProgress();
  });

  it('reject requests only with Retry-After', async () => {
    await respondents.stop();
    respondents.expectRetryAfter();
  });

  it('store acknowledged responses once each, and exceed no limit', () => respondents.expectStored());

  it('publish one event per stored response', () => respondents.expectPublished());
});
