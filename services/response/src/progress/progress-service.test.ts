import { describe, expect, it } from 'vitest';
import type { Response } from '../responses/response.ts';
import type { Commit } from '../seats/commit.ts';
import { newSealed } from '../testing/new-response.ts';
import { newDefinition } from '../testing/test-definition.ts';
import { createProgressService } from './progress-service.ts';

type Dependencies = Parameters<typeof createProgressService>[0];

const survey = newDefinition([{ id: 'taste', type: 'rating' }]);
const {
  data: _sealed,
  metadata: _none,
  externalId: _noId,
  ...head
} = newSealed(survey, { status: 'in_progress', completedAt: undefined });
const begun: Response = { ...head, data: { taste: 3 }, metadata: undefined, externalId: undefined };
const completion = { change: { isFinal: true, strict: false }, ifMatch: undefined, traceparent: '' };

/** A service whose store holds one unencrypted response. */
function start(commit: (stored: { response: Response }) => ReturnType<Commit>) {
  const stored = { response: begun };
  const dependencies = {
    definitions: {
      findAnsweredVersion: async () => survey,
      findForRespondent: async () => survey,
    },
    findEntrance: async () => ({ survey }),
    store: { find: async () => stored.response },
    commit: () => commit(stored),
    sealer: {
      open: (response: Response) => response,
      forTenant: async () => ({ seal: (response: Response) => response }),
    },
    files: { change: (_before: unknown, _after: unknown, _definition: unknown, write: () => unknown) => write() },
    count: () => undefined,
    clock: () => new Date(),
    startStopwatch: () => () => 0,
    // The service uses only these properties.
  } as unknown as Dependencies;
  return createProgressService(dependencies);
}

const full = { linkId: undefined, max: 1 };

describe('completing a response when the last seat is taken', () => {
  it('succeeds if an earlier attempt of the same request took it', async () => {
    const service = start(async (stored) => {
      stored.response = { ...begun, status: 'completed', revision: 2 };
      return full;
    });
    expect(await service.save(begun, completion)).toMatchObject({ status: 'completed', revision: 2 });
  });

  it('fails if another response took it', async () => {
    await expect(start(async () => full).save(begun, completion)).rejects.toMatchObject({
      code: 'RESPONSE_LIMIT_REACHED',
    });
  });
});
