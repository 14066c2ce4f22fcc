import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@bufbuild/protobuf';
import { AnswerService } from '@survey/proto/survey/responses/v1/answer_service_pb';
import { expect, it } from 'vitest';
import { callOptionsFor, type ServiceConnection } from '../../rpc/service-client.ts';

interface ContractResponse {
  readonly responseId: string;
  readonly tenantId: string;
  readonly data: JsonObject;
}

interface Subject {
  readonly connection: ServiceConnection;
  /** Creates a response of a new tenant. */
  addResponse(): Promise<ContractResponse>;
  removeResponse(response: ContractResponse): Promise<void>;
}

/**
 * Contract tests of `AnswerService`, for the response service and its fakes.
 *
 * @param subject returns the implementation under test; called when the tests run
 */
export function itReturnsAnswers(subject: () => Subject): void {
  const ask = (tenantId: string, responseIds: string[]) =>
    subject()
      .connection.client(AnswerService)
      .getAnswers({ responseIds }, callOptionsFor({ claims: { tenantId } }));

  it('returns the answers of a response, with its revision', async () => {
    const { tenantId, responseId, data } = await subject().addResponse();
    const { answers, postponedIds } = await ask(tenantId, [responseId]);
    expect(answers).toMatchObject([{ responseId, revision: 1, data }]);
    expect(postponedIds).toEqual([]);
  });

  it('omits responses that are unknown, deleted or of another tenant', async () => {
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
    ['an invalid id', ['R_1']],
  ])('rejects %s', async (_case, ids) => {
    await expect(ask(randomUUID(), ids)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
}
