import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@bufbuild/protobuf';
import { AnswerService } from '@survey/proto/survey/responses/v1/answer_service_pb';
import { expect, it } from 'vitest';
import { type ServiceConnection, withOnBehalf } from '../rpc/service-client.ts';

interface ContractResponse {
  readonly responseId: string;
  readonly tenantId: string;
  readonly data: JsonObject;
}

interface Subject {
  readonly connection: ServiceConnection;
  /** Makes a response of a tenant of its own. */
  addResponse(): Promise<ContractResponse>;
  removeResponse(response: ContractResponse): Promise<void>;
}

/**
 * The tests that whatever serves `AnswerService` has to pass, the response service and its stand-ins alike.
 *
 * @param subject what is tested, which is there when the tests run
 */
export function itTellsAnswers(subject: () => Subject): void {
  const ask = (tenantId: string, responseIds: string[]) =>
    subject()
      .connection.client(AnswerService)
      .getAnswers({ responseIds }, withOnBehalf({ subject: { tenantId } }));

  it('tells the answers of a response, with its revision', async () => {
    const { tenantId, responseId, data } = await subject().addResponse();
    const { answers, postponedIds } = await ask(tenantId, [responseId]);
    expect(answers).toMatchObject([{ responseId, revision: 1, data }]);
    expect(postponedIds).toEqual([]);
  });

  it('leaves out what there is not: unknown, deleted, another tenant’s', async () => {
    const { addResponse, removeResponse } = subject();
    const [kept, deleted, foreign] = [await addResponse(), await addResponse(), await addResponse()];
    await removeResponse(deleted);
    const ids = [randomUUID(), deleted.responseId, foreign.responseId, kept.responseId];
    const { answers } = await ask(kept.tenantId, ids);
    expect(answers.map(({ responseId }) => responseId)).toEqual([kept.responseId]);
    expect((await ask(deleted.tenantId, [deleted.responseId])).answers).toEqual([]);
  });

  it.each([
    ['no ids', []],
    ['too many', Array.from({ length: 101 }, () => randomUUID())],
    ['what is no id', ['R_1']],
  ])('refuses %s', async (_what, ids) => {
    await expect(ask(randomUUID(), ids)).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' });
  });
}
